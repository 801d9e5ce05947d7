/* SPDX-License-Identifier: Apache-2.0 */

/* Answers in place of kernel/ (and the CPU) on the fake machine. */

#include "machine.h"

#include "clock/counter.h"
#include "clock/observe.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"
#include "kernel/own_memory.h"
#include "kernel/perf_page.h"
#include "kernel/probe.h"
#include "kernel/proc_stat.h"
#include "kernel/proc_status.h"
#include "kernel/raw_clock.h"
#include "kernel/release.h"
#include "kernel/rseq_area.h"
#include "kernel/sample_page.h"
#include "kernel/schedstat.h"
#include "kernel/tid.h"
#include "kernel/usage.h"
#include "real/process.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <tap.h>
#include <unistd.h>

struct machine machine;

static struct tclk_rseq_area area;
static struct tclk_perf_page page;

#define SAMPLES_KEPT 64

/* A slot of the ring is one byte long. */
struct tclk_sample_page {
    struct tclk_perf_page lock;
    uint64_t head;
    int64_t period_ns;
    int64_t next_ns;
    bool runs;
    uint64_t limit; /* 0 = none */
    int64_t raw_ns[SAMPLES_KEPT];
};
#define SAMPLE_PAGES 4
static struct tclk_sample_page sample_pages[SAMPLE_PAGES]; /* the first is of a bout that lasts */

#define DESCRIPTOR UINT64_C(0x7f0000001000)

void machine_boot(struct machine kind)
{
    machine = kind;
    machine.counter = 1000;
    machine.raw_ns = 1000000;
    machine.timeslices = 1;
    if (kind.kernel_major == 0) {
        machine.kernel_major = 6;
        machine.kernel_minor = kind.kernel_minor == 0 ? 12 : kind.kernel_minor;
    }
    area = (struct tclk_rseq_area){0};
    page = (struct tclk_perf_page){.lock_and_index = 2};
    memset(sample_pages, 0, sizeof sample_pages);
}

/* ---- time ---- */

static void pass(int64_t ns)
{
    machine.raw_ns += ns;
    machine.counter_offset += (uint64_t)(ns * machine.counter_rate_ppm / 400000);
    machine.counter = (uint64_t)machine.raw_ns * 5 / 2 + machine.counter_offset;
}

static void tick(void)
{
    if (machine.mode == USER_MODE) {
        machine.user_ticks++;
    } else {
        machine.system_ticks++;
    }
}

static void sample(struct tclk_sample_page *page_of)
{
    while (page_of->runs && page_of->next_ns <= machine.cpu_ns &&
           (page_of->limit == 0 || page_of->head < page_of->limit)) {
        page_of->raw_ns[page_of->head % SAMPLES_KEPT] = machine.raw_ns - (machine.cpu_ns - page_of->next_ns);
        bool is_proof = page_of->limit != 0 && machine.inside > 0; /* it computes, whatever its thread did before */
        page_of->head += (machine.mode == USER_MODE || is_proof) && !machine.samples_are_lost;
        page_of->next_ns += page_of->period_ns;
        machine.samples++;
        pass(machine.sample_cost_ns);
        machine.cpu_ns += machine.sample_cost_ns;
    }
}

static void run(int64_t ns)
{
    int64_t ticks = (machine.raw_ns + ns) / MACHINE_TICK_NS - machine.raw_ns / MACHINE_TICK_NS;
    pass(ns);
    machine.cpu_ns += ns;
    for (int i = 0; i < SAMPLE_PAGES; i++) {
        sample(&sample_pages[i]);
    }
    while (ticks-- > 0) {
        tick();
    }
}

void machine_run(int64_t ns, enum machine_mode mode)
{
    machine.mode = mode;
    run(ns);
}

void machine_other_run(int64_t ns, enum machine_mode mode)
{
    int64_t ticks = (machine.raw_ns + ns) / MACHINE_TICK_NS - machine.raw_ns / MACHINE_TICK_NS;
    pass(ns);
    machine.other.cpu_ns += ns;
    machine.other.user_ticks += mode == USER_MODE ? ticks : 0;
    machine.other.system_ticks += mode == SYSTEM_MODE ? ticks : 0;
}

static bool is_older_than(int major, int minor)
{
    return machine.kernel_major != major ? machine.kernel_major < major : machine.kernel_minor < minor;
}

static void write_ids(void)
{
    machine.killed += machine.debugs_rseq && area.flags_and_node_id != 0;
    area.flags_and_node_id = 0;
}

static void change_markers(void)
{
    if (machine.keeps_markers) {
        return;
    }
    if (is_older_than(6, 19) || machine.debugs_rseq) {
        area.rseq_cs = 0;
    }
    if (!machine.keeps_ids) {
        write_ids();
    }
    page.lock_and_index += 2;
    for (int i = 0; i < SAMPLE_PAGES; i++) {
        sample_pages[i].lock.lock_and_index += sample_pages[i].runs ? 2 : 0;
    }
}

static void move(void)
{
    static int sleeps;
    if (machine.stays_in_one_of != 0 && ++sleeps % machine.stays_in_one_of != 0) {
        area.cpu_id++;
        write_ids();
    }
}

static void begin_slice(int64_t waited_ns)
{
    machine.run_delay_ns += waited_ns;
    machine.timeslices += !machine.loses_slices;
}

/* A thread that is preempted when it has set the state in which it wants to sleep is in no queue to the kernel. */
static bool is_preempted_before(void)
{
    static int sleeps;
    return machine.preempts_sleepers && ++sleeps % 2 == 0;
}

static void switch_out(void)
{
    if (is_preempted_before()) {
        machine.involuntary_switches++;
    } else {
        machine.voluntary_switches++;
        begin_slice(MACHINE_WAKE_NS);
    }
    change_markers();
}

void machine_sleep(int64_t ns)
{
    if (ns >= machine.switches_from_ns) {
        switch_out();
        move();
    }
    pass(ns);
}

void machine_sleep_until(int64_t phase_ns)
{
    machine_sleep(MACHINE_TICK_NS - (machine.raw_ns - phase_ns) % MACHINE_TICK_NS);
}

void machine_preempt(int64_t ns)
{
    machine.involuntary_switches++;
    begin_slice(ns);
    change_markers();
    pass(ns);
}

void machine_restore(int64_t after_ns, int64_t ahead_ns)
{
    change_markers();
    pass(after_ns + ahead_ns);
    machine.started_ns = machine.raw_ns;
    machine.cpu_ns = machine.user_ticks = machine.system_ticks = 0;
    machine.voluntary_switches = machine.involuntary_switches = 0;
    machine.run_delay_ns = 0;
    machine.timeslices = 1;
    machine.process_user_ns = machine.process_system_ns = 0;
    machine.other = (struct other_thread){.tid = machine.other.tid, .started_ns = machine.raw_ns};
}

void machine_signal(void)
{
    area.rseq_cs = 0;
    write_ids();
}

void machine_steal(int64_t ns)
{
    pass(ns);
}

void machine_jump(int64_t ns)
{
    machine.counter_offset += (uint64_t)(ns / 2 * 5);
    machine.counter += (uint64_t)(ns / 2 * 5);
}

static void run_hook(void (**hook)(void))
{
    void (*called)(void) = *hook;
    *hook = NULL;
    if (called != NULL) {
        called();
    }
}

static void leave(void)
{
    if (--machine.inside == 0) {
        run_hook(&machine.when_outside);
    }
}

/* Begins a system call. The kernel's answer is true in the middle of the call. */
static void begin_call(void)
{
    machine.inside++;
    machine.calls++;
    run(MACHINE_CALL_NS / 2);
    machine.run_delay_ns += machine.delay_drifts;
    if (machine.loses_markers) {
        change_markers();
    }
    run_hook(&machine.in_next_call);
}

static void end_call(void)
{
    run(MACHINE_CALL_NS / 2);
    leave();
}

/* ---- the CPU ---- */

uint64_t tclk_fake_counter(void)
{
    machine.inside++;
    run_hook(&machine.before_next_look);
    int64_t look_ns = machine.counter_is_slow ? 2 * MACHINE_CALL_NS : MACHINE_LOOK_NS;
    run(look_ns / 2);
    uint64_t counter = machine.counter;
    run(look_ns / 2);
    leave();
    return counter;
}

bool tclk_counter_is_invariant(void)
{
    return !machine.counter_varies;
}

bool tclk_counter_is_kept(void)
{
    return !machine.counter_is_given_up;
}

bool tclk_probe_counter_is_enabled(void)
{
    return !machine.counter_is_refused;
}

/* ---- clocks ---- */

static int64_t user_ticked_ns(void)
{
    return machine.user_ticks * MACHINE_TICK_NS;
}

static int64_t all_ticked_ns(void)
{
    return (machine.user_ticks + machine.system_ticks) * MACHINE_TICK_NS;
}

static int64_t process_clock(enum tclk_clock_kind kind)
{
    int64_t user_ns = machine.process_user_ns + user_ticked_ns();
    int64_t system_ns = machine.process_system_ns + all_ticked_ns() - user_ticked_ns();
    return kind == TCLK_CLOCK_VIRT ? user_ns : user_ns + system_ns;
}

static int64_t thread_clock(enum tclk_clock_kind kind)
{
    if (kind == TCLK_CLOCK_SCHED) {
        machine.clock_reads++;
        return machine.clock_is_coarse ? machine.cpu_ns / MACHINE_TICK_NS * MACHINE_TICK_NS : machine.cpu_ns;
    }
    return kind == TCLK_CLOCK_VIRT ? user_ticked_ns() : all_ticked_ns();
}

static int64_t other_clock(enum tclk_clock_kind kind)
{
    const struct other_thread *other = &machine.other;
    int64_t user_ns = other->user_ticks * MACHINE_TICK_NS;
    machine.other.clock_reads++;
    return kind == TCLK_CLOCK_SCHED  ? other->cpu_ns
           : kind == TCLK_CLOCK_VIRT ? user_ns
                                     : user_ns + other->system_ticks * MACHINE_TICK_NS;
}

static bool is_first_thread(pid_t tid)
{
    return tid == 0 || tid == tclk_tid_own();
}

static bool is_other_thread(pid_t tid)
{
    return tid != 0 && tid == machine.other.tid;
}

/* kernel/clockid.h */
static pid_t tid_of(clockid_t id)
{
    return (pid_t)(~(uint32_t)(id >> 3));
}

static int64_t clock_of(clockid_t id)
{
    enum tclk_clock_kind kind = (enum tclk_clock_kind)((uint32_t)id & 3u);
    if (((uint32_t)id & TCLK_CLOCK_THREAD) == 0) {
        return process_clock(kind);
    }
    return is_first_thread(tid_of(id)) ? thread_clock(kind) : other_clock(kind);
}

int tclk_clock_read(clockid_t id, int64_t *ns)
{
    id = id == CLOCK_THREAD_CPUTIME_ID ? tclk_clockid_encode(0, TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED) : id;
    pid_t tid = tid_of(id);
    int error = machine.clock_error != 0                       ? machine.clock_error
                : is_first_thread(tid) || is_other_thread(tid) ? 0
                                                               : EINVAL;
    if (error != 0) {
        errno = error;
        return -error;
    }
    begin_call();
    *ns = clock_of(id);
    end_call();
    return 0;
}

bool tclk_filter_forbids(void)
{
    return false;
}

void tclk_filter_count_own(int change)
{
    (void)change;
}

bool tclk_filter_permits_readings(void)
{
    return true;
}

int64_t tclk_boot_clock_ns(void)
{
    return (int64_t)tclk_raw_clock_ns();
}

int tclk_proc_stat_started_ns(const char *proc_root, pid_t tid, int64_t *started_ns)
{
    (void)proc_root;
    machine.other.start_reads += is_other_thread(tid);
    if (machine.proc_error != 0) {
        return -machine.proc_error;
    }
    if (!is_first_thread(tid) && !is_other_thread(tid)) {
        return -ESRCH;
    }
    int64_t exact_ns = is_other_thread(tid) ? machine.other.started_ns : machine.started_ns;
    *started_ns = exact_ns / 10000000 * 10000000;
    return 0;
}

int64_t tclk_clock_tick_ns(void)
{
    return MACHINE_TICK_NS;
}

uint64_t tclk_raw_clock_ns(void)
{
    machine.inside++;
    run(20);
    uint64_t ns = machine.raw_clock_stops ? 1 : (uint64_t)machine.raw_ns;
    run(20);
    leave();
    return ns;
}

/* As long as the one above. */
int64_t tclk_monotonic_clock_ns(void)
{
    machine.inside++;
    run(20);
    int64_t ns = machine.raw_ns + machine.monotonic_ahead_ns;
    run(20);
    leave();
    return ns;
}

uint64_t tclk_coarse_clock_ns(void)
{
    return (uint64_t)(machine.raw_ns / MACHINE_TICK_NS * MACHINE_TICK_NS);
}

/* The kernel's adjusted times: run time, divided in the ratio of the ticks. */
int tclk_usage_read(struct tclk_usage *usage)
{
    begin_call();
    machine.usage_reads++;
    int64_t all = machine.user_ticks + machine.system_ticks;
    int64_t user_ns = all == 0 ? machine.cpu_ns : (int64_t)((__int128)machine.cpu_ns * machine.user_ticks / all);
    usage->user_ns = user_ns;
    usage->system_ns = machine.cpu_ns - user_ns;
    usage->voluntary_switches = (uint32_t)machine.voluntary_switches;
    usage->involuntary_switches = (uint32_t)machine.involuntary_switches;
    end_call();
    return 0;
}

int tclk_usage_read_switches(struct tclk_switches *switches)
{
    begin_call();
    machine.usage_reads++;
    *switches = (struct tclk_switches){machine.voluntary_switches, machine.involuntary_switches};
    end_call();
    return 0;
}

int tclk_schedstat_read(const char *path, struct tclk_schedstat *stat)
{
    (void)path;
    begin_call();
    machine.schedstat_reads++;
    int error = machine.schedstat_error != 0 ? machine.schedstat_error : machine.counts_no_delay ? ENODATA : 0;
    if (error == 0) {
        *stat = (struct tclk_schedstat){(uint64_t)machine.cpu_ns, (uint64_t)machine.run_delay_ns,
                                        (uint64_t)machine.timeslices};
    }
    end_call();
    return -error;
}

/* The other thread is the only one that /proc shows. */
static int answer_of_thread(pid_t tid, int error)
{
    return error != 0 ? -error : is_other_thread(tid) ? 0 : -ESRCH;
}

int tclk_schedstat_read_thread(const char *proc_root, pid_t tid, struct tclk_schedstat *stat)
{
    (void)proc_root;
    int error = answer_of_thread(tid, machine.schedstat_error);
    if (error != 0) {
        return error;
    }
    if (machine.counts_no_delay || machine.other.timeslices == 0) {
        return -ENODATA;
    }
    *stat = (struct tclk_schedstat){(uint64_t)machine.other.cpu_ns, (uint64_t)machine.other.run_delay_ns,
                                    (uint64_t)machine.other.timeslices};
    return 0;
}

int tclk_proc_status_read_switches(const char *proc_root, pid_t tid, struct tclk_switches *switches)
{
    (void)proc_root;
    int error = answer_of_thread(tid, machine.proc_error);
    if (error == 0) {
        *switches = (struct tclk_switches){machine.other.voluntary_switches, machine.other.involuntary_switches};
    }
    return error;
}

int tclk_proc_stat_user_ns(const char *proc_root, pid_t tid, int64_t *user_ns)
{
    (void)proc_root;
    (void)tid;
    *user_ns = user_ticked_ns() / 10000000 * 10000000;
    return 0;
}

bool tclk_own_memory_is_shared_with(pid_t other)
{
    (void)other;
    return false;
}

/* ---- a filter that may kill ---- */

static bool insisting;

void tclk_filter_insist(bool insist)
{
    insisting = insist;
}

bool tclk_filter_insists(void)
{
    return insisting;
}

/* A source that is asked for by name is tried, and the filter allows it. */
static bool is_left_untried(void)
{
    return machine.is_large_and_filtered && !insisting;
}

/* ---- detectors ---- */

void tclk_rseq_setup(void)
{
}

uint64_t tclk_rseq_descriptor(void)
{
    return DESCRIPTOR;
}

bool tclk_rseq_is_libcs(void)
{
    return !machine.libc_has_no_rseq;
}

uint64_t tclk_rseq_place(const struct tclk_rseq_area *of)
{
    return of->cpu_id;
}

int tclk_rseq_own_area_of_thread(struct tclk_rseq_area **found)
{
    return machine.libc_has_no_rseq ? tclk_rseq_area_of_thread(found) : -EBUSY;
}

int tclk_rseq_area_of_thread(struct tclk_rseq_area **found)
{
    if (is_left_untried()) {
        return -TCLK_FILTER_UNTRIED;
    }
    if (machine.rseq_error == 0) {
        *found = &area;
    }
    return -machine.rseq_error;
}

void tclk_rseq_area_release(void)
{
}

void tclk_rseq_area_release_ended(struct tclk_rseq_area *left)
{
    (void)left;
}

int tclk_perf_page_map(struct tclk_perf_page **found, enum tclk_perf_step *step)
{
    *step = TCLK_PERF_OPEN;
    if (is_left_untried()) {
        return -TCLK_FILTER_UNTRIED;
    }
    if (machine.perf_error == 0) {
        *found = &page;
        machine.perf_pages++;
    }
    return -machine.perf_error;
}

void tclk_perf_page_unmap(struct tclk_perf_page *unmapped)
{
    (void)unmapped;
    machine.perf_pages--;
}

/* ---- samples ---- */

static struct tclk_sample_page *free_page(int limit)
{
    int i = limit != 0;
    while (limit != 0 && i < SAMPLE_PAGES - 1 && sample_pages[i].runs) {
        i++;
    }
    return &sample_pages[i];
}

int tclk_sample_page_map(struct tclk_sample_page **found, int64_t period_ns, int limit, enum tclk_perf_step *step)
{
    machine.inside++;
    *step = TCLK_PERF_OPEN;
    machine.sample_opens++;
    if (machine.sample_error == 0) {
        struct tclk_sample_page *mapped = free_page(limit);
        *mapped = (struct tclk_sample_page){.lock.lock_and_index = 2,
                                            .period_ns = period_ns,
                                            .next_ns = machine.cpu_ns + period_ns,
                                            .runs = true,
                                            .limit = (uint64_t)limit};
        machine.sample_events++;
        machine.sample_period_ns = period_ns;
        *found = mapped;
    }
    leave();
    return -machine.sample_error;
}

void tclk_sample_page_unmap(struct tclk_sample_page *unmapped)
{
    machine.sample_events -= unmapped->runs;
    unmapped->runs = false;
}

struct tclk_perf_page *tclk_sample_page_lock(struct tclk_sample_page *of)
{
    return &of->lock;
}

uint64_t tclk_sample_page_head(const struct tclk_sample_page *of)
{
    return of->head;
}

bool tclk_sample_page_next(const struct tclk_sample_page *of, uint64_t *at, struct tclk_sample *sample)
{
    if (*at >= of->head) {
        return false;
    }
    *sample = (struct tclk_sample){.raw_ns = of->raw_ns[(*at)++ % SAMPLES_KEPT], .is_user = true};
    return true;
}

uint64_t tclk_sample_page_count(const struct tclk_sample_page *of, uint64_t from, uint64_t to)
{
    (void)of;
    return to - from;
}

int tclk_sample_rate_max(int *per_second)
{
    if (machine.sample_rate_max == 0) {
        return -ENOENT;
    }
    *per_second = machine.sample_rate_max;
    return 0;
}

int tclk_perf_paranoid(int *level)
{
    *level = 3;
    return 0;
}

bool tclk_release_running(struct tclk_release *release)
{
    *release = (struct tclk_release){machine.kernel_major, machine.kernel_minor};
    return true;
}

void tclk_probe_sleep(int64_t ns)
{
    machine_sleep(ns);
}

bool tclk_probe_await_child(void)
{
    if (machine.has_no_children) {
        return false;
    }
    switch_out();
    pass(MACHINE_CALL_NS);
    return true;
}

void tclk_probe_call(void)
{
    begin_call();
    end_call();
}

/* ---- what is told of the clock ---- */

void use(struct tclk_config config)
{
    int error = tclk_clock_configure(&config);
    if (error != 0) {
        is_ns(error, 0, "source %s is available", tclk_source_name(config.source));
    }
}

static bool tells(const char *text, const char *part, const char *of_what)
{
    bool found = strstr(text, part) != NULL;
    if (!ok(found, "%s: …%s…", of_what, part)) {
        diag("it says: %s", text);
    }
    return found;
}

void source_says(enum tclk_source source, const char *part)
{
    char text[1024];
    tclk_source_explain(source, text, sizeof text);
    tells(text, part, tclk_source_name(source));
}

void clock_says(const char *part)
{
    char text[1024];
    tclk_clock_explain(text, sizeof text);
    tells(text, part, "the clock");
}

/* ---- the law of a thread's readings ---- */

struct readings readings;

#define CURVE_POINTS 8

/* The last points that anybody has read of a thread. */
static _Thread_local struct {
    struct tclk_point points[CURVE_POINTS];
    uint32_t count; /* of all */
} own;

static bool are_on_one_curve(struct tclk_point p, struct tclk_point q)
{
    int64_t cpu_ns = q.cpu_ns - p.cpu_ns;
    int64_t user_ns = q.user_ns - p.user_ns;
    return cpu_ns < 0 ? user_ns <= 0 && user_ns >= cpu_ns : user_ns >= 0 && user_ns <= cpu_ns;
}

/* The first breach is printed, all are counted. */
static void check(struct tclk_point earlier, struct tclk_point now, bool is_later)
{
    bool steps_back = is_later && now.cpu_ns < earlier.cpu_ns;
    if (!steps_back && are_on_one_curve(earlier, now)) {
        return;
    }
    if (readings.broken++ == 0) {
        diag("reading %" PRId64 ": %" PRId64 " ns, %" PRId64 " of them user, %s %" PRId64 ", %" PRId64, readings.count,
             now.cpu_ns, now.user_ns, is_later ? "after" : "beside", earlier.cpu_ns, earlier.user_ns);
    }
}

/* Holds a reading to the law, which began when the curve had `before` points. */
static void add(uint32_t before, struct tclk_point now)
{
    uint32_t kept = own.count < CURVE_POINTS ? own.count : CURVE_POINTS;
    for (uint32_t i = own.count - kept; i != own.count; i++) {
        check(own.points[i % CURVE_POINTS], now, i < before);
    }
    own.points[own.count++ % CURVE_POINTS] = now;
    readings.count++;
}

void anchor_now(void)
{
    do {
        machine_run(100 * US, USER_MODE);
        machine_preempt(US);
    } while (read_now().cpu_ns > machine.cpu_ns);
}

void start_other(int64_t cpu_ns)
{
    machine.other = (struct other_thread){.tid = OTHER, .started_ns = machine.raw_ns, .cpu_ns = cpu_ns};
}

bool is_share(double share, double least, double most, const char *sentence)
{
    return ok(share >= least && share <= most, "%s: %.3f", sentence, share);
}

void readings_begin(void)
{
    readings.ahead_ns = readings.behind_ns = 0;
}

void readings_keep_the_law(const char *who)
{
    is_ns(readings.broken, 0, "%s: of %" PRId64 " readings none steps back, nor has more user time than CPU time", who,
          readings.count);
    readings.broken = 0;
}

struct tclk_point read_unjudged(void)
{
    struct tclk_times times;
    int error = tclk_thread_read(&times);
    if (error != 0) {
        printf("Bail out! tclk_thread_read: %d\n", error);
        _exit(1);
    }
    readings.broken += times.user_ns + times.system_ns != times.cpu_ns;
    return (struct tclk_point){times.cpu_ns, times.user_ns};
}

struct tclk_point observe_unjudged(void)
{
    struct tclk_point now = {-1, -1};
    tclk_observe_times(tclk_tid_own(), &now);
    return now;
}

struct tclk_point judge(struct tclk_point (*read)(void))
{
    uint32_t before = own.count;
    int64_t from_ns = machine.cpu_ns;
    struct tclk_point now = read();
    int64_t ahead_ns = now.cpu_ns - machine.cpu_ns;
    int64_t behind_ns = from_ns - now.cpu_ns;
    add(before, now);
    readings.ahead_ns = ahead_ns > readings.ahead_ns ? ahead_ns : readings.ahead_ns;
    readings.behind_ns = behind_ns > readings.behind_ns ? behind_ns : readings.behind_ns;
    return now;
}

struct tclk_point read_now(void)
{
    return judge(read_unjudged);
}

struct tclk_point run_and_read(int64_t ns, enum machine_mode mode)
{
    machine_run(ns, mode);
    return read_now();
}

void work_mixed(int64_t cpu_ns, int percent_user)
{
    for (int64_t done_ns = 0; done_ns < cpu_ns; done_ns += 97 * US) {
        run_and_read(97 * US * percent_user / 100, USER_MODE);
        run_and_read(97 * US - 97 * US * percent_user / 100, SYSTEM_MODE);
    }
}

struct tclk_point observe_own(void)
{
    return judge(observe_unjudged);
}

double share_between(struct tclk_point from, struct tclk_point to)
{
    return (double)(to.user_ns - from.user_ns) / (double)(to.cpu_ns - from.cpu_ns);
}

double share_since(struct tclk_point from)
{
    return share_between(from, read_now());
}

/* ---- tests ---- */

static struct {
    const char *name;
    void (*run)(void);
} tests[64];
static int tests_known;
static const char *test_name = "";

void test_add(const char *name, void (*test)(void))
{
    tests[tests_known].name = name;
    tests[tests_known++].run = test;
}

static sigjmp_buf way_out;

static void jump_out(int signal)
{
    siglongjmp(way_out, signal);
}

static void signal_comes(void)
{
    raise(SIGUSR1);
}

void jump_out_of(void (*call)(void), void (**hook)(void), const char *what)
{
    signal(SIGUSR1, jump_out);
    *hook = signal_comes;
    if (sigsetjmp(way_out, 1) == 0) {
        call();
        ok(false, "a handler jumps out of %s", what);
    }
    machine.inside = 0;
}

static void (*fresh)(void);

static void run_fresh(void)
{
    machine_boot((struct machine){0});
    readings = (struct readings){0};
    own.count = 0;
    fresh();
    if (readings.count > 1) {
        readings_keep_the_law(test_name);
    }
}

void in_fresh_process(void (*test)(void))
{
    fresh = test;
    in_child(run_fresh);
}

__attribute__((weak)) int main(void)
{
    for (int i = 0; i < tests_known; i++) {
        test_name = tests[i].name;
        in_fresh_process(tests[i].run);
    }
    return done();
}
