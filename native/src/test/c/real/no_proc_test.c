/* SPDX-License-Identifier: Apache-2.0 */

/* A process without /proc, in a root folder that has none; or with the /proc of another pid namespace, which does
 * not help. Only the source proc needs it. */

#include "real.h"

#define ROOT_MISSING "the right to change the root folder (root, or a user namespace)"

/* Removes the folder at once; an empty root without a name is as good. */
static bool enter_empty_root(void)
{
    char folder[] = "/tmp/threadclock-root-XXXXXX";
    if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0) {
        return false;
    }
    if (mkdtemp(folder) == NULL && mkdir(strcpy(folder, "/threadclock-root"), 0700) != 0) {
        return false;
    }
    bool entered = chdir(folder) == 0 && rmdir(folder) == 0 && chroot(".") == 0;
    return entered && access("/proc/self/stat", R_OK) != 0;
}

static void reads_itself(const char *source)
{
    times_now();
    struct leftovers before = leftovers_now();
    witness_reads_right(40 * MS, source, "without /proc");
    leftovers_none(before, "without /proc");
}

/* ---- reading other threads ---- */

/* Longer than the time after which a tid might be another thread's. */
#define LOOK_NS (12 * MS)
#define LOOKS 25

/* Spends half of its time in the kernel, so that the split matters. */
static void work(void *reads)
{
    for (int i = 0; i < 1000; i++) {
        if (i % 40 < 20) {
            spin_wall_ns(US);
        } else {
            kernel_cpu_ns();
        }
        if (*(bool *)reads) {
            times_now();
        }
    }
    sleep_ns(US);
}

static void observe(bool reads, const char *source, const char *who)
{
    struct repeater worker;
    struct sequence s = {.readings = 0};
    repeater_start(&worker, work, &reads);
    for (int i = 0; i < LOOKS; i++) {
        struct tclk_times now = s.last;
        s.errors += tclk_tid_read(worker.tid, &now) != 0;
        sequence_judge(&s, now);
        sleep_ns(LOOK_NS);
    }
    repeater_stop(&worker);
    sequence_holds(&s, source, who);
}

static void reads_others(const char *source)
{
    observe(false, source, "without /proc, a thread that does not read itself");
    observe(true, source, "without /proc, a thread that does");
    is_ns(tclk_tid_cpu_ns(thread_ended_tid()), -ESRCH, "%s, without /proc: one that has ended can't", source);
}

/* ---- the source that needs /proc ---- */

static void proc_is_refused(void)
{
    source_is_refused(TCLK_SOURCE_PROC, "/proc/self/task/TID/stat refused: ENOENT (2)",
                      "without /proc the source proc is refused");
}

static void without_proc(void)
{
    if (skips(!enter_empty_root(), "readings are right without /proc", ROOT_MISSING)) {
        return;
    }
    ok(tclk_clock_source() != TCLK_SOURCE_PROC, "without /proc a source is found: %s",
       tclk_source_name(tclk_clock_source()));
    proc_is_refused();
    with_each_source(reads_itself);
    with_each_source(reads_others);
}

/* ---- the /proc of another pid namespace ---- */

/* Such a /proc shows this process's threads under other numbers. */
static void with_foreign_proc(void)
{
    proc_is_refused();
    reads_others(tclk_source_name(tclk_clock_source()));
}

static void in_namespace(void)
{
    if (skips(access("/proc/self/stat", R_OK) != 0 || unshare(CLONE_NEWPID) != 0,
              "readings are right with the /proc of another pid namespace", "the right to make a pid namespace")) {
        return;
    }
    in_child(with_foreign_proc);
}

int main(void)
{
    in_child(without_proc);
    in_child(in_namespace);
    return done();
}
