/* SPDX-License-Identifier: Apache-2.0 */

/* Tests how a thread has waited, on a machine whose kernel is asked only if the figures may have moved. */

#include "clock/thread.h"
#include "clock/waits.h"
#include "kernel/tid.h"
#include "machine.h"
#include "real/process.h"

#include <errno.h>
#include <string.h>

static bool are(struct tclk_waits waits, int64_t delay_ns, int64_t voluntary, int64_t involuntary)
{
    bool equal = waits.run_delay_ns == delay_ns && waits.voluntary_switches == voluntary &&
                 waits.involuntary_switches == involuntary;
    if (!equal) {
        diag("%" PRId64 " ns, %" PRId64 " + %" PRId64 " switches instead of %" PRId64 " ns, %" PRId64 " + %" PRId64,
             waits.run_delay_ns, waits.voluntary_switches, waits.involuntary_switches, delay_ns, voluntary,
             involuntary);
    }
    return equal;
}

static bool are_the_machines(struct tclk_waits waits, const char *when)
{
    return ok(are(waits, machine.run_delay_ns, machine.voluntary_switches, machine.involuntary_switches),
              "%s, the waits are the kernel's", when);
}

static void are_right(const char *when)
{
    struct tclk_waits waits = {0, 0, 0};
    is_ns(tclk_thread_waits(&waits), 0, "%s, the waits are known", when);
    are_the_machines(waits, when);
}

static void need_not_be_asked(const char *when)
{
    RAISES(machine.calls, 0, are_right(when), "%s, nothing is asked for them", when);
}

static void are_fetched_once(const char *when)
{
    RAISES(machine.schedstat_reads, 1, are_right(when), "%s, they are fetched", when);
    need_not_be_asked(when);
}

/* With the self-test. */
static void use_waits(struct tclk_config config)
{
    use(config);
    tclk_thread_waits(&(struct tclk_waits){0});
}

/* ---- a thread that is switched out, or not ---- */

static void try_switches(enum tclk_source source)
{
    use_waits((struct tclk_config){.source = source});
    machine_run(100000, USER_MODE);
    machine_preempt(3 * MS);
    are_fetched_once("after a preemption");
    machine_run(50000, SYSTEM_MODE);
    need_not_be_asked("while the thread runs");
    machine_sleep(10 * MS);
    are_fetched_once("after a sleep");
    machine_sleep(10 * MS);
    machine_preempt(2 * MS);
    machine_preempt(1 * MS);
    read_now();
    are_fetched_once("after several switches and a reading of the clock");
}

static void with_ids(void)
{
    machine_boot((struct machine){.kernel_major = 7, .kernel_minor = 3, .libc_has_no_rseq = true});
    try_switches(TCLK_SOURCE_IDS);
}

TEST(each_detector_tells_when_to_fetch)
{
    try_switches(TCLK_SOURCE_RSEQ);
    try_switches(TCLK_SOURCE_PERF);
    in_fresh_process(with_ids);
}

/* The anchor's window bounds how long a detector is believed. */
TEST(at_a_windows_end)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine_run(5 * MS, USER_MODE);
    are_fetched_once("after the window");
}

TEST(misses_a_switch)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine.keeps_markers = true;
    machine_preempt(1 * MS);
    machine_run(4 * MS, USER_MODE);
    are_right("a window after a switch that the detector missed");
}

TEST(after_the_source_has_changed)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine_sleep(1 * MS);
    are_right("with one source");
    USE(.source = TCLK_SOURCE_PERF);
    machine_preempt(1 * MS);
    are_fetched_once("with another source");
}

/* ---- together with a reading of the clock ---- */

static void is_refused_together(const char *when)
{
    struct tclk_point point;
    struct tclk_waits waits;
    int64_t wall_ns;
    uint64_t calls = machine.calls;
    ok(!tclk_waits_recall_with_point(tclk_thread.counting, &point, &waits, &wall_ns), "%s, the kernel must be asked",
       when);
    is_ns(machine.calls - calls, 0, "…and nobody asks it");
}

static void is_told_together(const char *when)
{
    struct tclk_point point;
    struct tclk_waits waits;
    int64_t before_ns = read_now().cpu_ns;
    int64_t wall_ns;
    uint64_t calls = machine.calls;
    ok(tclk_waits_recall_with_point(tclk_thread.counting, &point, &waits, &wall_ns), "%s, a reading has its waits",
       when);
    are_the_machines(waits, when);
    is_ns(machine.calls - calls, 0, "…and nothing is asked");
    ok(point.cpu_ns >= before_ns && point.cpu_ns <= read_now().cpu_ns, "…its time is one of the sequence");
}

TEST(together_with_a_reading)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine_run(100000, USER_MODE);
    is_told_together("while the thread runs");
    machine_preempt(3 * MS);
    is_refused_together("after a preemption");
    read_now();
    is_refused_together("after the clock was read, and not the waits");
    are_right("after that");
    is_told_together("after both");
    machine_run(5 * MS, USER_MODE);
    is_refused_together("after the window");
}

/* ---- a thread without a detector ---- */

static void try_without_detector(enum tclk_source source)
{
    use_waits((struct tclk_config){.source = source});
    for (int i = 0; i < 3; i++) {
        uint64_t clock_reads = machine.clock_reads;
        RAISES(machine.schedstat_reads, 1, are_right("without a detector"), "…they are fetched each time");
        is_ns(machine.clock_reads - clock_reads, 0, "…and the clock is left alone");
        machine_preempt(1 * MS);
    }
}

TEST(without_a_detector_they_are_fetched)
{
    try_without_detector(TCLK_SOURCE_CLOCK);
    try_without_detector(TCLK_SOURCE_TICKS);
}

TEST(where_the_counter_is_refused)
{
    machine.counter_is_refused = true;
    try_without_detector(TCLK_SOURCE_AUTO);
}

/* ---- switches while the figures are fetched ---- */

static int calls_before;
static bool goes_on;

static void be_switched_out_in_a_call(void)
{
    if (calls_before-- <= 0) {
        machine_preempt(1 * MS);
    }
    if (goes_on || calls_before >= 0) {
        machine.in_next_call = be_switched_out_in_a_call;
    }
}

#define CALLS_TRIED 8

/* The last of these calls come after those of a fetch. */
TEST(while_it_asks)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_PERF});
    for (int before = 0; before < CALLS_TRIED; before++) {
        machine_sleep(1 * MS);
        calls_before = before;
        machine.in_next_call = be_switched_out_in_a_call;
        are_right("after a switch in one of its system calls");
        machine.in_next_call = NULL;
        need_not_be_asked("after that");
    }
}

/* The call ends even so, and the next one asks again. */
TEST(while_it_always_asks)
{
    struct tclk_waits waits;
    use_waits((struct tclk_config){.source = TCLK_SOURCE_PERF});
    machine_sleep(1 * MS);
    calls_before = 0;
    goes_on = true;
    machine.in_next_call = be_switched_out_in_a_call;
    uint64_t fetched = machine.schedstat_reads;
    is_ns(tclk_thread_waits(&waits), 0, "a thread that is switched out in each system call");
    ok(machine.schedstat_reads - fetched <= 3, "…asks three times at most");
    machine.in_next_call = NULL;
    are_fetched_once("…and after that");
}

/* ---- what is not known ---- */

static void is_unknown(int error, const char *reason)
{
    machine_preempt(1 * MS);
    for (int i = 0; i < 2; i++) {
        struct tclk_waits waits = {0, 0, 0};
        is_ns(tclk_thread_waits(&waits), error, "the reason is returned");
        is_ns(waits.run_delay_ns, TCLK_UNKNOWN, "…run-queue delay is unknown");
        ok(waits.involuntary_switches == machine.involuntary_switches &&
               waits.voluntary_switches == machine.voluntary_switches,
           "…and switches are the kernel's");
    }
    clock_says(reason);
}

TEST(without_sched_info)
{
    machine.counts_no_delay = true;
    is_unknown(-ENODATA, "\nwaits: the kernel counts no run-queue delay (CONFIG_SCHED_INFO");
    struct tclk_waits waits;
    RAISES(machine.calls, 0, tclk_thread_waits(&waits), "what is unknown is not asked again, either");
}

TEST(where_the_file_is_refused)
{
    machine.schedstat_error = ENOENT;
    is_unknown(-ENOENT, "\nwaits: /proc/thread-self/schedstat refused: ENOENT (2)");
}

TEST(where_the_file_is_refused_for_a_while)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine.schedstat_error = EMFILE;
    is_unknown(-EMFILE, "\nwaits: sound here\n");
    machine.schedstat_error = 0;
    machine_sleep(1 * MS);
    are_fetched_once("once the file can be opened");
}

/* ---- a kernel whose figures do not stand still ---- */

static void are_asked_for_each_time(const char *reason)
{
    for (int i = 0; i < 3; i++) {
        uint64_t fetched = machine.schedstat_reads;
        struct tclk_waits waits;
        is_ns(tclk_thread_waits(&waits), 0, "figures that fail the self-test are told");
        ok(machine.schedstat_reads - fetched >= 1, "…and fetched each time");
    }
    clock_says(reason);
}

TEST(where_delay_drifts)
{
    machine.delay_drifts = true;
    are_asked_for_each_time("\nwaits: self-test: 64 of 64 calls that switch nothing moved");
}

TEST(where_sleeps_are_no_slice)
{
    machine.loses_slices = true;
    are_asked_for_each_time("\nwaits: self-test: 16 of 16 sleeps are no time slice");
}

/* Such a thread refutes nothing. */
TEST(where_sleepers_are_preempted)
{
    machine.preempts_sleepers = true;
    are_right("where a thread is preempted before it sleeps");
    clock_says("\nwaits: sound here\n");
}

TEST(says_nothing_unasked)
{
    char text[1024];
    read_now();
    tclk_clock_explain(text, sizeof text);
    ok(strstr(text, "waits") == NULL, "of waits nothing is said before anybody asks for them");
}

/* ---- by tid ---- */

static struct tclk_waits waits_of_other(int expected)
{
    struct tclk_waits waits = {-2, -2, -2};
    is_ns(tclk_tid_waits(OTHER, &waits), expected, "another thread: the answer is %d", expected);
    return waits;
}

static void other_waits(void)
{
    machine.other = (struct other_thread){
        .tid = OTHER, .run_delay_ns = 5 * MS, .timeslices = 4, .voluntary_switches = 2, .involuntary_switches = 1};
}

TEST(of_another_thread)
{
    other_waits();
    ok(are(waits_of_other(0), 5 * MS, 2, 1), "the waits of another thread are the kernel's");
    machine.other = (struct other_thread){.tid = OTHER};
    ok(are(waits_of_other(0), 0, 0, 0), "one that has never had a CPU has not waited yet");
    machine.other.tid = 0;
    ok(are(waits_of_other(-ESRCH), -2, -2, -2), "of one that is gone, nothing is told");
}

TEST(of_another_thread_unknown)
{
    other_waits();
    machine.counts_no_delay = true;
    ok(are(waits_of_other(-ENODATA), TCLK_UNKNOWN, 2, 1), "without CONFIG_SCHED_INFO, its run-queue delay is unknown");
    machine.counts_no_delay = false;
    machine.proc_error = EMFILE;
    ok(are(waits_of_other(-EMFILE), 5 * MS, TCLK_UNKNOWN, TCLK_UNKNOWN),
       "where its status is refused, its switches are");
}

TEST(of_oneself_by_tid)
{
    struct tclk_waits waits = {0, 0, 0};
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine_preempt(1 * MS);
    are_right("of oneself");
    uint64_t calls = machine.calls;
    is_ns(tclk_tid_waits(tclk_tid_own(), &waits), 0, "by one's own tid");
    are_the_machines(waits, "…");
    is_ns(machine.calls - calls, 0, "…and what is kept is returned");
}

/* ---- structs of other lengths ---- */

TEST(of_another_length)
{
    struct {
        struct tclk_waits known;
        int64_t later[2];
    } longer = {{0, 0, 0}, {0, 0}};
    struct tclk_waits shorter = {4711, 4711, 4711};
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    tclk_thread_waits_sized(&longer.known, sizeof longer);
    are_the_machines(longer.known, "in a struct that is longer");
    ok(longer.later[0] == TCLK_UNKNOWN && longer.later[1] == TCLK_UNKNOWN,
       "…what the library does not know is unknown");
    tclk_thread_waits_sized(&shorter, 2 * sizeof(int64_t));
    ok(shorter.run_delay_ns == machine.run_delay_ns && shorter.involuntary_switches == 4711,
       "a struct that is shorter is filled to its end");
}

/* ---- children and restores ---- */

static uint32_t parents_generation;

static uint32_t own_generation(void)
{
    const struct tclk_record *record = tclk_thread.counting;
    return record == NULL ? 0 : record->generation;
}

/* The child is another thread to the kernel. Its anchors count from 1 again, up to the parent's; where records are not
 * wiped on fork, they count on. */
static void child_waits(void)
{
    machine.run_delay_ns = machine.voluntary_switches = machine.involuntary_switches = 0;
    do {
        machine_preempt(1 * MS);
        read_now();
    } while (own_generation() < parents_generation);
    are_right("in a child of fork(), or in one that libc does not know of");
}

TEST(in_children)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine_preempt(2 * MS);
    are_right("in the parent");
    parents_generation = own_generation();
    in_child(child_waits);
    in_child_of(process_clone, child_waits);
}

TEST(after_a_restore)
{
    use_waits((struct tclk_config){.source = TCLK_SOURCE_RSEQ});
    machine_preempt(2 * MS);
    are_right("before a restore");
    machine_restore(10 * MS, 0);
    are_fetched_once("after a restore");
}
