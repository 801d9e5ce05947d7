/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/measurement.h"

#include "clock/source.h"
#include "jvm/attachment.h"
#include "jvm/java_thread.h"
#include "jvm/setup.h"
#include "jvm/thread_mxbean_natives.h"
#include "kernel/clockid.h"
#include "kernel/raw_clock.h"
#include "kernel/tid.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes the least of this many rounds, because anything else that runs makes a round longer, never shorter. */
#define ROUNDS 20
#define CALLS_A_ROUND 50

/* CPU time of the test: several steps of 10 ms. */
#define STEPS_NS INT64_C(60000000)

/* Work between two looks, some 20 us. It is mostly user work, because otherwise all ticks would find the thread in a
 * system call. */
#define WORK_ROUNDS 20000

/* A clock that moves only at ticks moves at most this much more often than ticks come, because of where the looks
 * begin and end. The size of a move says nothing, because the kernel subtracts the part of a tick that a hypervisor
 * took. */
#define MOVES_MORE 2

struct call {
    JNIEnv *env;
    jobject bean;
    jmethodID method;
};

static int64_t user_ns(const struct call *call)
{
    jlong ns = (*call->env)->CallLongMethod(call->env, call->bean, call->method);
    return tclk_java_exception_cleared(call->env) ? -1 : ns;
}

static int64_t cost_ns(const struct call *call)
{
    int64_t least_ns = INT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begin_ns = tclk_boot_clock_ns();
        for (int i = 0; i < CALLS_A_ROUND; i++) {
            user_ns(call);
        }
        int64_t took_ns = tclk_boot_clock_ns() - begin_ns;
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    return least_ns / CALLS_A_ROUND;
}

/* Returns the number of read system calls of this thread, or -1 if the kernel keeps no account. */
static long read_calls(void)
{
    char text[512] = {0};
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/io", (int)tclk_tid_own());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    const char *count = length > 0 ? strstr(text, "syscr: ") : NULL;
    return count == NULL ? -1 : strtol(count + strlen("syscr: "), NULL, 10);
}

static bool reads_files(const struct call *call)
{
    long before = read_calls();
    for (int i = 0; i < CALLS_A_ROUND; i++) {
        user_ns(call);
    }
    long after = read_calls();
    return before >= 0 && after - before >= CALLS_A_ROUND / 2;
}

static void work(void)
{
    for (volatile int i = 0; i < WORK_ROUNDS; i++) {
    }
}

/* Finds out how the time moves while the thread does hardly anything but user work. */
static enum tclk_way way_of_moving(const struct call *call)
{
    int moves = 0;
    int64_t begin_ns = 0;
    int64_t now_ns = 0;
    int64_t since_ns = tclk_boot_clock_ns();
    int64_t last_ns = user_ns(call);
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &begin_ns);
    do {
        work();
        int64_t step_ns = user_ns(call) - last_ns;
        last_ns += step_ns;
        moves += step_ns != 0;
        tclk_clock_read_own(TCLK_CLOCK_SCHED, &now_ns);
    } while (now_ns != 0 && now_ns - begin_ns < STEPS_NS);
    int64_t ticks = (tclk_boot_clock_ns() - since_ns) / tclk_clock_tick_ns();
    return moves == 0 ? TCLK_WAY_UNKNOWN : moves > ticks + MOVES_MORE ? TCLK_WAY_FINE : TCLK_WAY_TICKS;
}

static enum tclk_way way_of(const struct call *call)
{
    if (user_ns(call) < 0) {
        return TCLK_WAY_UNSUPPORTED;
    }
    return reads_files(call) ? TCLK_WAY_PROC : way_of_moving(call);
}

static bool find(struct call *call)
{
    call->bean = tclk_thread_mx_bean(call->env);
    jclass type = call->bean == NULL ? NULL : (*call->env)->GetObjectClass(call->env, call->bean);
    call->method = type == NULL ? NULL : (*call->env)->GetMethodID(call->env, type, "getCurrentThreadUserTime", "()J");
    return !tclk_java_exception_cleared(call->env) && call->method != NULL;
}

jint tclk_measure(JNIEnv *env)
{
    struct call call = {.env = env};
    if (!tclk_setup_jdk(env, TCLK_UNCHANGED)) {
        return TCLK_JDK_AWAY;
    }
    if (!find(&call)) {
        return TCLK_NOT_HOTSPOT;
    }
    enum tclk_way way = way_of(&call);
    int64_t ns = way == TCLK_WAY_UNSUPPORTED ? 0 : cost_ns(&call);
    return TCLK_MEASURED | (tclk_mxbean_is_ours() ? TCLK_MEASURED_OURS : 0) |
           (jint)tclk_clock_source() << TCLK_MEASURED_SOURCE_SHIFT | (jint)way << TCLK_MEASURED_WAY_SHIFT |
           (jint)(ns < TCLK_MEASURED_NS_MAX ? ns : TCLK_MEASURED_NS_MAX);
}
