/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Measures what it costs a process to be looked at. Makes THREADS threads, of which ACTIVE wake up again and again,
 * starts the server, and lets another process ask RATE times a second for SECONDS. Prints the CPU time that the
 * server's thread has used, as a percentage of one core, in the first look and after it; the age of the readings; and
 * the cost of a look for the client.
 *
 *     serve_cost [THREADS [RATE [SECONDS [ACTIVE]]]]        5000 10 10 50
 */

#include "include/threadclock.h"
#include "serve/protocol.h"
#include "serve/server.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define S INT64_C(1000000000)
#define STACK_BYTES ((size_t)64 << 10)
#define ACTIVE_EVERY_NS 10000000

static int64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * S + t.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- threads ---- */

static long active;
static long started;

static void *live(void *unused)
{
    const struct timespec short_pause = {.tv_nsec = ACTIVE_EVERY_NS};
    bool wakes = __atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST) < active;
    while (wakes) {
        nanosleep(&short_pause, NULL);
    }
    for (;;) {
        pause();
    }
    return unused;
}

static void start_threads(long count)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (long i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, live, NULL) != 0) {
            fail("pthread_create");
        }
    }
    pthread_attr_destroy(&attributes);
    while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < count) {
        usleep(1000);
    }
}

/* ---- the client, a process of its own ---- */

struct look {
    struct tclk_reply_head head;
    double mean_age_ms;
    double max_age_ms;
};

static void ask(int client, uint64_t named)
{
    struct tclk_request request = {.magic = TCLK_SERVE_MAGIC, .named = named};
    if (write(client, &request, sizeof request) != sizeof request) {
        fail("asking the server");
    }
}

static char reply[16 << 20];

static struct look take(int client)
{
    struct look look = {0};
    if (recv(client, &look.head, sizeof look.head, MSG_WAITALL) != sizeof look.head) {
        fail("taking the reply");
    }
    size_t rest = look.head.bytes - sizeof look.head;
    if (recv(client, reply, rest, MSG_WAITALL) != (ssize_t)rest) {
        fail("taking the reply");
    }
    const struct tclk_reply_times *times = (const struct tclk_reply_times *)reply;
    for (uint32_t i = 0; i < look.head.times_count; i++) {
        double age_ms = times[i].age_us / 1e3;
        look.mean_age_ms += age_ms / look.head.times_count;
        look.max_age_ms = age_ms > look.max_age_ms ? age_ms : look.max_age_ms;
    }
    return look;
}

static int connect_to(pid_t pid)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s%d", TCLK_SERVE_PATH, (int)pid);
    if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) {
        fail(address.sun_path);
    }
    return client;
}

static void report(const struct look *first, const struct look *last, long looks, double mean_age_ms, int64_t own_ns)
{
    double spent_ns = (double)(last->head.own_cpu_ns - first->head.own_cpu_ns);
    double passed_ns = (double)(last->head.taken_ns - first->head.taken_ns);
    printf("%u threads, %.1f looks a second\n", last->head.threads, (double)looks * 1e9 / passed_ns);
    printf("  cost to the process     %8.3f %% of a core, %.0f us a look\n", 100 * spent_ns / passed_ns,
           spent_ns / 1e3 / (double)looks);
    printf("  the first look          %8.3f ms, once\n", (double)first->head.own_cpu_ns / 1e6);
    printf("  age of readings         %8.1f ms mean, %.1f ms most in the last look\n", mean_age_ms, last->max_age_ms);
    printf("  cost to the client      %8.0f us a look\n", (double)own_ns / 1e3 / (double)looks);
}

static void look_on(pid_t pid, long rate, long seconds)
{
    int client = connect_to(pid);
    const struct timespec pause = {.tv_sec = rate == 1, .tv_nsec = rate == 1 ? 0 : S / rate};
    ask(client, 0);
    struct look first = take(client);
    struct look last = first;
    double ages_ms = 0;
    long looks = 0;
    int64_t began_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (; last.head.taken_ns - first.head.taken_ns < seconds * S; looks++) {
        nanosleep(&pause, NULL);
        ask(client, last.head.named);
        last = take(client);
        ages_ms += last.mean_age_ms;
    }
    report(&first, &last, looks, ages_ms / (double)looks, now_ns(CLOCK_PROCESS_CPUTIME_ID) - began_ns);
}

static void no_java_ids(struct tclk_thread_table *table)
{
    (void)table;
}

static long argument(int count, char **given, int index, long otherwise)
{
    long number = index < count ? strtol(given[index], NULL, 10) : otherwise;
    if (number < 0) {
        fprintf(stderr, "serve_cost: %s is no number. It takes THREADS RATE SECONDS ACTIVE.\n", given[index]);
        exit(2);
    }
    return number;
}

int main(int count, char **given)
{
    int status = 1;
    long threads = argument(count, given, 1, 5000);
    long rate = argument(count, given, 2, 10);
    long seconds = argument(count, given, 3, 10);
    active = argument(count, given, 4, 50);
    pid_t target = getpid();
    int go[2];
    if (pipe(go) != 0) {
        fail("pipe");
    }
    pid_t client = fork();
    if (client == 0) {
        char byte;
        if (read(go[0], &byte, 1) != 1) {
            _exit(1);
        }
        look_on(target, rate > 0 ? rate : 1, seconds);
        exit(0);
    }
    start_threads(threads);
    int error = tclk_server_start(no_java_ids);
    if (error != 0 || write(go[1], "", 1) != 1) {
        fprintf(stderr, "serve_cost: the server does not start: %s\n", strerror(-error));
        return 1;
    }
    waitpid(client, &status, 0);
    return status == 0 ? 0 : 1;
}
