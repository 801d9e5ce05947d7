/* SPDX-License-Identifier: Apache-2.0 */

/* A reading leaves errno as it was, because it may happen in a signal handler. */

#include "real.h"

#define PRECIOUS 4711

static int64_t spoilt;

static void look(const char *what)
{
    if (errno != PRECIOUS) {
        spoilt++;
        diag("%s leaves errno %d", what, errno);
    }
    errno = PRECIOUS;
}

static void read_all(void)
{
    struct tclk_times times;
    struct tclk_stats stats;
    struct tclk_waits waits;
    errno = PRECIOUS;
    tclk_thread_cpu_ns();
    look("tclk_thread_cpu_ns()");
    tclk_thread_user_ns();
    look("tclk_thread_user_ns()");
    tclk_thread_read(&times);
    look("tclk_thread_read()");
    tclk_thread_waits(&waits);
    look("tclk_thread_waits()");
    tclk_tid_waits(getpid(), &waits);
    tclk_tid_waits(0, &waits);
    look("tclk_tid_waits()");
    tclk_tid_cpu_ns(-1);
    tclk_tid_read(1 << 22, &times);
    tclk_tid_read(getpid(), &times);
    look("tclk_tid_read()");
    tclk_clock_source();
    look("tclk_clock_source()");
    tclk_clock_stats(&stats);
    look("tclk_clock_stats()");
    tclk_source_name(TCLK_SOURCE_AUTO);
    tclk_version();
    look("a name");
}

/* First readings, later ones, and ones that ask the kernel again. */
static void *read_in_thread(void *unused)
{
    read_all();
    for (int i = 0; i < 20; i++) {
        sleep_ns(1);
        read_all();
    }
    return unused;
}

static void at_work(const char *source)
{
    spoilt = 0;
    in_thread(read_in_thread, NULL);
    is_ns(spoilt, 0, "%s: errno is left alone, from a thread's first reading on", source);
}

static void fresh(void)
{
    spoilt = 0;
    read_all();
    is_ns(spoilt, 0, "a process's first reading, with its self-tests, leaves errno alone");
}

/* From now on, all calls that a reading tries fail. */
static bool refuse_all(void)
{
    bool refused = seccomp_refuse(SYS_perf_event_open, EACCES) && seccomp_refuse(SYS_rseq, ENOSYS) &&
                   seccomp_refuse(SYS_madvise, EINVAL);
    if (!refused) {
        skip("errno is left alone where all is refused", SECCOMP_MISSING);
    }
    return refused;
}

static void question_refused(void)
{
    if (refuse_all()) {
        spoilt = 0;
        errno = PRECIOUS;
        tclk_clock_source();
        look("the first question");
        is_ns(spoilt, 0, "so does its first question for the source, where rseq and perf are refused");
    }
}

static void refused(void)
{
    if (!refuse_all()) {
        return;
    }
    spoilt = 0;
    read_in_thread(NULL); /* glibc does not start a thread where rseq(2) is refused */
    is_ns(spoilt, 0, "errno stays if rseq, perf and memory are refused");
}

static void without_descriptors(void)
{
    source_use(TCLK_SOURCE_PROC);
    process_limit(RLIMIT_NOFILE, 0);
    spoilt = 0;
    read_all();
    is_ns(spoilt, 0, "errno stays if /proc cannot be opened");
    is_ns(tclk_thread_user_ns(), -EMFILE, "the error is returned as the result");
}

int main(void)
{
    in_child(fresh);
    in_child(question_refused);
    in_child(refused);
    in_child(without_descriptors);
    with_each_source(at_work);
    source_use(TCLK_SOURCE_TICKS);
    at_work("ticks");
    source_use(TCLK_SOURCE_PROC);
    at_work("proc");
    return done();
}
