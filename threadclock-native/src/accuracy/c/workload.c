/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

#include <string.h>

#define US 1000.0
#define MS 1000000.0

#define WINDOW_NS (10 * MS)
#define REQUEST_NS (2 * MS)

/* The unit of work that is neither all user nor all system time, unless a workload is about just this. */
#define UNIT_NS (100 * US)

/* ---- of one kind ---- */

static void spin(struct worker *worker)
{
    worker_compute(worker, WINDOW_NS);
}

static void call(struct worker *worker)
{
    worker_call(worker, worker->workload->call, WINDOW_NS);
}

/* ---- mixes of equal halves ---- */

static void begin_half(struct worker *worker)
{
    worker->is_in_system = !worker->is_in_system;
    worker->left_ns = worker->workload->half_ns;
}

static void go_on(struct worker *worker, double ns)
{
    if (worker->is_in_system) {
        worker_copy(worker, ns);
    } else {
        worker_compute(worker, ns);
    }
    worker->left_ns -= ns;
}

/* A half may begin in one window and end in the next. */
static void mix(struct worker *worker)
{
    double ns;
    for (double left_ns = WINDOW_NS; left_ns >= 1; left_ns -= ns) {
        if (worker->left_ns < 1) {
            begin_half(worker);
        }
        ns = worker->left_ns < left_ns ? worker->left_ns : left_ns;
        go_on(worker, ns);
    }
}

/* ---- bursts with sleeps ---- */

static void sleep_until_phase(struct worker *worker)
{
    struct tick *tick = &worker->tick;
    double length_ns = (double)tick->length_ns;
    meter_pause(&worker->meter);
    tick_count(tick);
    tick_sleep_until(tick, (int64_t)(length_ns * worker->workload->burst.start));
    tick_watch(tick);
    meter_resume(&worker->meter);
}

static void bursts_at_phase(struct worker *worker)
{
    double length_ns = (double)worker->tick.length_ns;
    const struct workload_burst *burst = &worker->workload->burst;
    for (double ns = 0; ns < WINDOW_NS; ns += length_ns * (burst->user + burst->system)) {
        sleep_until_phase(worker);
        worker_compute(worker, length_ns * burst->user);
        worker_copy(worker, length_ns * burst->system);
    }
}

static void random_bursts(struct worker *worker)
{
    for (double ns = 0; ns < WINDOW_NS;) {
        double user_ns = worker_random(worker, 50 * US, 300 * US);
        double system_ns = worker_random(worker, 50 * US, 300 * US);
        worker_sleep(worker, (int64_t)worker_random(worker, 200 * US, 3 * MS));
        worker_compute(worker, user_ns);
        worker_copy(worker, system_ns);
        ns += user_ns + system_ns;
    }
}

/* ---- requests ---- */

static void request_alike(struct worker *worker)
{
    worker_mix(worker, REQUEST_NS, UNIT_NS, 0.5);
}

static void request_random(struct worker *worker)
{
    worker_mix(worker, REQUEST_NS, UNIT_NS, worker_random(worker, 0, 1));
}

static void request_pure(struct worker *worker)
{
    if (worker_random(worker, 0, 1) < 0.5) {
        worker_compute(worker, REQUEST_NS);
    } else {
        worker_copy(worker, REQUEST_NS);
    }
}

/* ---- threads ---- */

/* The first does 6 % of user time, the last 94 %. */
static void one_of_eight(struct worker *worker)
{
    worker_mix(worker, WINDOW_NS, UNIT_NS, (2 * worker->number + 1) / 16.0);
}

static void short_life(struct worker *worker)
{
    double ns = worker_random(worker, 1 * MS, 5 * MS);
    worker_mix(worker, ns, UNIT_NS, worker_random(worker, 0, 1));
}

/* ---- */

/* Every 400 ms of CPU time 90 % user becomes 10 %, or the other way round. */
static void phase_change(struct worker *worker)
{
    bool is_second = worker->turn / 40 % 2 != 0;
    worker_mix(worker, WINDOW_NS, UNIT_NS, is_second ? 0.1 : 0.9);
}

/* Halves of "10 ms" are a little shorter than the window, which so begins at each phase of them in turn. Without
 * glances, a reading after 10 ms always asks the kernel: of CPU time it says nothing. But glances halve the errors
 * of the split `kernel`, which may move no further at a time than CPU time has. */
const struct workload workloads[] = {
    {.name = "spin", .window = spin, .by_period = true, .unit = "10ms", .glances = true},
    {.name = "getppid", .window = call, .unit = "10ms", .call = WORK_GETPPID},
    {.name = "pread", .window = call, .unit = "10ms", .call = WORK_PREAD},
    {.name = "write", .window = call, .unit = "10ms", .call = WORK_WRITE},
    {.name = "mmap", .window = call, .unit = "10ms", .call = WORK_MMAP},
    {.name = "mix-2us", .window = mix, .unit = "10ms", .half_ns = 2 * US},
    {.name = "mix-50us", .window = mix, .by_period = true, .unit = "10ms", .half_ns = 50 * US},
    {.name = "mix-1ms", .window = mix, .unit = "10ms", .half_ns = 1 * MS},
    {.name = "mix-10ms", .window = mix, .unit = "10ms", .half_ns = 9.9 * MS},
    {.name = "on-tick",
     .window = bursts_at_phase,
     .by_period = true,
     .unit = "10ms",
     .sleeps = true,
     .burst = {.start = -0.0425, .user = 0.075, .least_hits = 0.8, .most_hits = 1}},
    {.name = "off-tick",
     .window = bursts_at_phase,
     .by_period = true,
     .unit = "10ms",
     .sleeps = true,
     .burst = {.start = 0.4, .user = 0.075, .most_hits = 0.1}},
    {.name = "user-on-tick",
     .window = bursts_at_phase,
     .unit = "10ms",
     .sleeps = true,
     .burst = {.start = -0.03, .user = 0.05, .system = 0.2, .least_hits = 0.8, .most_hits = 1}},
    {.name = "random-bursts", .window = random_bursts, .unit = "10ms", .sleeps = true},
    {.name = "requests-alike", .window = request_alike, .unit = "request"},
    {.name = "requests-random", .window = request_random, .unit = "request"},
    {.name = "requests-pure", .window = request_pure, .by_period = true, .unit = "request"},
    {.name = "eight-threads",
     .window = one_of_eight,
     .unit = "10ms",
     .threads = WORKLOAD_EIGHT_THREADS,
     .glances = true},
    {.name = "short-threads", .window = short_life, .unit = "thread", .threads = WORKLOAD_SHORT_THREADS},
    {.name = "phase-change", .window = phase_change, .unit = "10ms"},
};

const size_t workload_count = sizeof workloads / sizeof workloads[0];

const struct workload *workload_of_name(const char *name)
{
    for (size_t i = 0; i < workload_count; i++) {
        if (strcmp(workloads[i].name, name) == 0) {
            return &workloads[i];
        }
    }
    return NULL;
}
