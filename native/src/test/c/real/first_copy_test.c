/* SPDX-License-Identifier: Apache-2.0 */

/* What a later copy asks the first one, which is a stand-in here. src/test/sh/copies.t has real ones. */

#include "clock/first_copy.h"
#include "clock/settings.h"
#include "real.h"

#define OTHER_TID 4711
#define TOLD_TID 4712

static bool announced;

static const char *version(void)
{
    return "99";
}

static int thread_read(struct tclk_times *times)
{
    *times = (struct tclk_times){30, 20, 10};
    return 0;
}

static int tid_read(pid_t tid, struct tclk_times *times)
{
    *times = (struct tclk_times){tid, tid - 1, 1};
    return tid == TOLD_TID ? 0 : -ESRCH;
}

static int tid_cpu_ns(pid_t tid, int64_t *cpu_ns)
{
    *cpu_ns = tid;
    return tid == TOLD_TID ? 0 : -ESRCH;
}

static int thread_waits(struct tclk_waits *waits, size_t size)
{
    (void)size;
    *waits = (struct tclk_waits){7, 8, 9};
    return -ENODATA;
}

static int configure(const struct tclk_config *config, size_t size)
{
    return config->source == TCLK_SOURCE_PROC && size == sizeof *config ? 0 : -EINVAL;
}

static enum tclk_source source(void)
{
    return TCLK_SOURCE_PROC;
}

static enum tclk_split split(void)
{
    return TCLK_SPLIT_SAMPLED;
}

static size_t say(char *buffer, size_t size)
{
    return (size_t)snprintf(buffer, size, "told");
}

static size_t say_of_source(enum tclk_source of, char *buffer, size_t size)
{
    return (size_t)snprintf(buffer, size, "told %d", (int)of);
}

static void stats(struct tclk_stats *of, size_t size)
{
    memset(of, 0, size);
    of->lost = 11;
}

static void announce(bool whether)
{
    announced = whether;
}

static struct tclk_copy stand_in(uint32_t interface, uint32_t bytes)
{
    return (struct tclk_copy){
        .interface = interface,
        .bytes = bytes,
        .version = version,
        .thread_read = thread_read,
        .tid_read = tid_read,
        .tid_cpu_ns = tid_cpu_ns,
        .thread_waits = thread_waits,
        .configure = configure,
        .source = source,
        .split = split,
        .split_describe = say,
        .explain = say,
        .source_explain = say_of_source,
        .stats = stats,
        .announce_demotions = announce,
    };
}

static bool says(size_t (*explain)(char *buffer, size_t size), const char *text)
{
    char said[256];
    return explain(said, sizeof said) >= strlen(text) && strncmp(said, text, strlen(text)) == 0;
}

static size_t explain_perf(char *buffer, size_t size)
{
    return tclk_source_explain(TCLK_SOURCE_PERF, buffer, size);
}

static void own_copy_answers(void)
{
    pid_t own = (pid_t)syscall(SYS_gettid);
    struct tclk_times times = {0};
    int64_t cpu_ns = 0;
    ok(tclk_first_copy() == NULL, "the only copy of a process is the first");
    ok(tclk_own_copy.tid_read(own, &times) == 0 && times.cpu_ns > 0,
       "it tells other copies of a thread that has not read itself");
    ok(tclk_own_copy.tid_cpu_ns(own, &cpu_ns) == 0 && cpu_ns >= times.cpu_ns, "and its CPU time");
    ok(tclk_thread_cpu_ns() >= cpu_ns, "the thread's own reading goes on from there");
    ok(tclk_own_copy.tid_read(own, &times) == 0 && times.cpu_ns >= cpu_ns,
       "so do those that other copies ask for then");
    ok(tclk_own_copy.tid_cpu_ns(own, &cpu_ns) == 0 && cpu_ns >= times.cpu_ns, "also by CPU time alone");
    ok(tclk_own_copy.tid_cpu_ns(-1, &cpu_ns) == -ESRCH, "of no thread they get -ESRCH");
}

static void ask(void)
{
    struct tclk_times times = {0};
    struct tclk_waits waits = {0};
    struct tclk_stats counts = {0};
    struct tclk_config config = {.source = TCLK_SOURCE_PROC};
    errno = ERANGE;
    ok(tclk_thread_read(&times) == 0 && times.cpu_ns == 30 && times.user_ns == 20 && times.system_ns == 10,
       "a later copy returns the first one's times of the calling thread");
    is_ns(tclk_thread_cpu_ns(), 30, "and its CPU time");
    is_ns(tclk_thread_user_ns(), 20, "and its user time");
    ok(errno == ERANGE, "errno is as it was");
    is_ns(tclk_tid_cpu_ns(TOLD_TID), TOLD_TID, "it asks by tid");
    is_ns(tclk_tid_user_ns(TOLD_TID), TOLD_TID - 1, "for user time, too");
    is_ns(tclk_tid_read(OTHER_TID, &times), -ESRCH, "and returns the first one's error");
    ok(tclk_thread_waits(&waits) == -ENODATA && waits.voluntary_switches == 8, "the waits are the first one's");
    ok(tclk_clock_configure(&config) == 0, "it configures the first one");
    ok(tclk_clock_source() == TCLK_SOURCE_PROC, "whose source is in use");
    ok(tclk_clock_split() == TCLK_SPLIT_SAMPLED, "and whose split");
    ok(says(tclk_clock_explain, "told") && says(tclk_clock_describe_split, "told") && says(explain_perf, "told 2"),
       "which it explains");
    tclk_clock_stats(&counts);
    ok(counts.lost == 11, "and whose counts it tells");
    tclk_clock_announce_demotions(true);
    ok(announced, "the first one announces demotions");
}

static void refuse(const char *why)
{
    static const char text[] = "another copy of threadclock, of version 99, is the clock of this process";
    struct tclk_times times = {1, 2, 3};
    struct tclk_waits waits = {0};
    struct tclk_stats counts = {.lost = 1};
    struct tclk_config config = {.source = TCLK_SOURCE_PROC};
    pid_t tid = TOLD_TID;
    ok(tclk_thread_read(&times) == -EEXIST && times.cpu_ns == 1, "a copy refuses to read if %s", why);
    ok(tclk_thread_cpu_ns() == -EEXIST && tclk_tid_cpu_ns(tid) == -EEXIST && tclk_tid_read(tid, &times) == -EEXIST &&
           times.cpu_ns == 1,
       "in whatever way");
    ok(tclk_tids_read(&tid, 1, &times) == 0 && times.cpu_ns == -EEXIST, "also among many threads");
    ok(tclk_thread_waits(&waits) == -EEXIST && waits.run_delay_ns == TCLK_UNKNOWN, "its waits are unknown");
    ok(tclk_clock_configure(&config) == -EEXIST, "it is not to be configured");
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK && tclk_clock_split() == TCLK_SPLIT_SMOOTHED,
       "it has no source of its own");
    ok(says(tclk_clock_explain, text) && says(explain_perf, text) && says(tclk_clock_describe_split, text),
       "it says why");
    tclk_clock_stats(&counts);
    ok(counts.lost == 0, "it counts nothing");
    announced = false;
    tclk_clock_announce_demotions(true);
    ok(!announced, "and announces nothing");
}

int main(void)
{
    struct tclk_copy same = stand_in(TCLK_COPY_INTERFACE, sizeof(struct tclk_copy));
    struct tclk_copy longer = stand_in(TCLK_COPY_INTERFACE, sizeof(struct tclk_copy) + 64);
    struct tclk_copy shorter = stand_in(TCLK_COPY_INTERFACE, sizeof(struct tclk_copy) - 8);
    struct tclk_copy other = stand_in(TCLK_COPY_INTERFACE + 1, sizeof(struct tclk_copy));
    own_copy_answers();
    /* The calling thread is armed by now, as no thread is when the constructor finds another copy. */
    struct tclk_config plain = {.source = TCLK_SOURCE_CLOCK};
    tclk_clock_configure(&plain);
    tclk_first_copy_ask(&same);
    ask();
    tclk_first_copy_ask(&longer);
    ok(tclk_thread_cpu_ns() == 30, "a later version may have a longer table");
    tclk_first_copy_ask(&other);
    refuse("the first one has another interface");
    tclk_first_copy_ask(&shorter);
    refuse("the first one has less");
    return done();
}
