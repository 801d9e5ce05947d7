/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A signal handler reads the clock at 10 kHz, in a thread that only reads it, and that a spinner on the same CPU
 * switches out all the time. A signal that comes while the thread is switched out is handled first when it runs again:
 * in the middle of any instruction, the handler arms the detector again. A read that then trusted the marker would
 * contain the spinner's time.
 */

#include "real.h"

#define TRY_NS S
#define PERIOD_US 100

/* Longer than any turn of the spinner, so that a missed switch shows in full. */
#define WINDOW_NS (100 * MS)

/* The number of reads between two readings of the kernel's clock. Most of the time is spent in reads. */
#define BURST 16

#define JUMP_NS (50 * US)

/* As in witness.h: a hypervisor's hand at the wrong moment. */
#define CHANCE 2

/* Shared by a thread and its own handler. */
static volatile struct {
    int64_t cpu_ns; /* a value that has been returned */
    int64_t user_ns;
    int64_t excess_ns; /* ahead of the kernel's clock, at the last look */
    int64_t switches;
    int64_t steps_back;
    int64_t ahead;
    int64_t most_ahead_ns;
    int64_t readings;
    int64_t signals;
    int64_t switched;
} seen;

/* In the main thread a handler may come between any two of these stores, which only makes the test milder. */
static void note(struct tclk_times times)
{
    seen.readings++;
    seen.cpu_ns = times.cpu_ns > seen.cpu_ns ? times.cpu_ns : seen.cpu_ns;
    seen.user_ns = times.user_ns > seen.user_ns ? times.user_ns : seen.user_ns;
}

static struct tclk_times read_and_note(void)
{
    struct tclk_times times = {-1, -1, -1};
    int64_t cpu_ns = seen.cpu_ns;
    int64_t user_ns = seen.user_ns;
    tclk_thread_read(&times);
    seen.steps_back += times.cpu_ns < cpu_ns || times.user_ns < user_ns;
    note(times);
    return times;
}

/* Time that a hypervisor took makes a reading run ahead, too; but then the thread was not switched out. */
static int64_t look(struct tclk_times times)
{
    int64_t excess_ns = times.cpu_ns - kernel_cpu_ns();
    int64_t switches = switches_now();
    int64_t known_ns = seen.excess_ns > 0 ? seen.excess_ns : 0;
    if (switches != seen.switches && excess_ns - known_ns > JUMP_NS) {
        seen.ahead++;
        seen.most_ahead_ns = excess_ns > seen.most_ahead_ns ? excess_ns : seen.most_ahead_ns;
    }
    seen.switched += switches != seen.switches;
    seen.switches = switches;
    return excess_ns;
}

static void on_alarm(int number)
{
    (void)number;
    seen.signals++;
    seen.excess_ns = look(read_and_note());
}

/* Configuring makes the next read ask the kernel, so that most of the time is spent in that. */
static void read_in_bursts(int64_t for_ns, const struct tclk_config *again)
{
    int64_t end_ns = wall_ns() + for_ns;
    while (wall_ns() < end_ns) {
        struct tclk_times times = {0};
        if (again != NULL) {
            tclk_clock_configure(again);
        }
        for (int i = 0; i < BURST; i++) {
            times = read_and_note();
        }
        seen.excess_ns = look(times);
    }
}

static void start_anew(void)
{
    struct tclk_times times = times_now();
    seen.cpu_ns = times.cpu_ns;
    seen.user_ns = times.user_ns;
    seen.excess_ns = times.cpu_ns - kernel_cpu_ns();
    seen.switches = switches_now();
    seen.steps_back = seen.ahead = seen.most_ahead_ns = 0;
    seen.readings = seen.signals = seen.switched = 0;
}

/* One round is enough, unless others have the CPU for most of it. */
#define PATIENCE_NS (60 * S)

static bool happened_enough(void)
{
    return seen.signals > 100 && seen.switched > 10;
}

static void reads_in_handlers(const char *source)
{
    const struct tclk_config config = source_config(tclk_clock_source());
    struct spinner spinner;
    int cpu;
    cpus_allowed(&cpu, 1);
    cpu_pin(0, cpu);
    spinner_start(&spinner, cpu);
    start_anew();
    set_alarms(PERIOD_US, on_alarm);
    int64_t until_ns = wall_ns() + PATIENCE_NS;
    do {
        read_in_bursts(kind_rounds(TRY_NS), NULL);
        read_in_bursts(kind_rounds(TRY_NS), &config);
    } while (!happened_enough() && wall_ns() < until_ns);
    set_alarms(0, on_alarm);
    spinner_stop(&spinner);
    is_ns(seen.steps_back, 0, "%s: neither the thread nor its handler sees a step back", source);
    ok(seen.ahead <= CHANCE, "%s: no reading shows another thread's time", source);
    ok(happened_enough(), "%s: there were handlers and switches", source);
    diag("%" PRId64 " readings, %" PRId64 " signals, switched out %" PRId64 " times; ahead %" PRId64
         ", at most by %" PRId64 " us",
         seen.readings, seen.signals, seen.switched, seen.ahead, seen.most_ahead_ns / US);
}

int main(void)
{
    sources_window_ns = WINDOW_NS;
    with_each_source(reads_in_handlers);
    diag("sampled");
    sources_split = TCLK_SPLIT_SAMPLED;
    with_each_source(reads_in_handlers);
    return done();
}
