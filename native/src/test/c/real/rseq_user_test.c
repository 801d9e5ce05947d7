/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Another user of restartable sequences in the same threads, which does what TCMalloc does for its lists per CPU.
 * (Debian's libtcmalloc is gperftools, which does not use them.) It adds to counters per CPU in critical sections,
 * while the thread, and a handler of it, read the clock. Neither may disturb the other: no addition and no switch may
 * be lost, on libc's area, which both use, and on an area of its own.
 */

#include "real.h"
#include "rseq.h"

#if defined(__x86_64__)

#define THREADS 4
#define WATCH_NS (150 * MS)
#define ADDITIONS 16
#define CPUS 1024

/* Used if libc has registered none. */
static _Thread_local struct tclk_rseq_area registered_area __attribute__((aligned(32)));
static _Thread_local struct tclk_rseq_area *area;

static struct {
    int64_t n;
    char padding[56];
} counters[CPUS];

static int64_t added;
static int64_t aborted;
static int64_t handled;
static int64_t handler_wrong;

/* Adds 1 to the counter of the CPU on which the thread runs, unless it is interrupted. This is not atomic for other
 * CPUs: two threads that did it at once on one counter would lose an addition. */
static bool add_once(void)
{
    uint32_t cpu = __atomic_load_n(&area->cpu_id_start, __ATOMIC_RELAXED);
    int64_t *counter = &counters[cpu % CPUS].n;
    __asm__ goto(".pushsection .data.rel.rseq_user, \"aw\"\n\t"
                 ".balign 32\n"
                 "9:\n\t"
                 ".long 0, 0\n\t"
                 ".quad 1f, 2f - 1f, 4f\n\t"
                 ".popsection\n\t"
                 "leaq 9b(%%rip), %%rax\n\t"
                 "movq %%rax, %[section]\n"
                 "1:\n\t"
                 "cmpl %[cpu], %[cpu_id]\n\t"
                 "jne 4f\n\t"
                 "movq %[counter], %%rax\n\t"
                 "addq $1, %%rax\n\t"
                 "movq %%rax, %[counter]\n" /* the commit */
                 "2:\n\t"
                 ".pushsection .text.rseq_user, \"ax\"\n\t"
                 ".byte 0x0f, 0xb9, 0x3d\n\t" /* ud1 with the signature as its operand */
                 ".long 0x53053053\n"
                 "4:\n\t"
                 "jmp %l[abort]\n\t"
                 ".popsection"
                 :
                 : [section] "m"(area->rseq_cs), [cpu] "r"(cpu), [cpu_id] "m"(area->cpu_id), [counter] "m"(*counter)
                 : "rax", "cc", "memory"
                 : abort);
    return true;
abort:
    return false;
}

static void add_some(void)
{
    for (int i = 0; i < ADDITIONS; i++) {
        while (!add_once()) {
            __atomic_fetch_add(&aborted, 1, __ATOMIC_RELAXED);
        }
        __atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
    }
}

static bool takes_libcs_area;

/* Finds libc's area, or registers one in its place, before the library does. */
static bool find_area(void)
{
    if (rseq_libc_registers()) {
        tclk_rseq_area_of_thread(&area);
        if (takes_libcs_area || rseq_unregister(area) != 0) {
            return takes_libcs_area;
        }
    }
    area = &registered_area;
    return rseq_register(area, sizeof *area, TCLK_RSEQ_SIGNATURE) == 0;
}

/* ---- the threads ---- */

static void on_alarm(int number)
{
    struct tclk_times times;
    int saved = errno;
    bool right = number == SIGALRM && tclk_thread_read(&times) == 0 && times_are_consistent(times);
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&handler_wrong, !right, __ATOMIC_RELAXED);
    errno = saved;
}

/* No handler reads before the owner of the area is decided, so that nobody takes libc's area away from a reader. */
static void *add_and_read(void *argument)
{
    struct witness *w = argument;
    if (!find_area()) {
        return NULL;
    }
    signal_mask(SIG_UNBLOCK, SIGALRM);
    int64_t end_ns = wall_ns() + kind_rounds(WATCH_NS);
    witness_begin_epoch(w);
    do {
        add_some();
        witness_read(w);
    } while (wall_ns() < end_ns);
    return NULL;
}

static int64_t counted(void)
{
    int64_t sum = 0;
    for (int i = 0; i < CPUS; i++) {
        sum += counters[i].n;
        counters[i].n = 0;
    }
    return sum;
}

static void both_in_each_thread(const char *source)
{
    const char *who =
        takes_libcs_area ? "beside critical sections on libc's area" : "beside critical sections on an area of its own";
    signal_mask(SIG_BLOCK, SIGALRM); /* the threads take them, and this one does not */
    added = aborted = handled = handler_wrong = 0;
    set_alarms(200, on_alarm);
    watchers_hold(THREADS, add_and_read, source, who);
    set_alarms(0, on_alarm);
    is_ns(counted(), added, "%s, %s: not one of the additions is lost", source, who);
    is_ns(handler_wrong, 0, "%s, %s: handlers read right as well", source, who);
    is_ns(stats_now().demotions, 0, "%s, %s: no detector is blamed", source, who);
    diag("%" PRId64 " additions, %" PRId64 " interrupted, %" PRId64 " handlers", added, aborted, handled);
}

static void with_such_an_area(void)
{
    with_each_source(both_in_each_thread);
}

static bool has_rseq(void)
{
    struct tclk_rseq_area *found;
    return tclk_rseq_area_of_thread(&found) == 0;
}

int main(void)
{
    if (skips(!has_rseq(), "critical sections lose no addition, nor we a switch",
              "rseq(2), Linux 4.18, and an area that can be looked up")) {
        return done();
    }
    if (!skips(!rseq_libc_registers(), "critical sections on libc's area", RSEQ_LIBC_MISSING)) {
        takes_libcs_area = true;
        in_child(with_such_an_area);
    }
    /* An allocator registers its own area where libc does not. The library must leave that area alone. */
    takes_libcs_area = false;
    in_child(with_such_an_area);
    return done();
}

#else

int main(void)
{
    skip("critical sections lose no addition, nor we a switch", "x86_64, whose instructions they are");
    return done();
}

#endif
