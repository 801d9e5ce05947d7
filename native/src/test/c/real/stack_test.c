/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests small stacks: threads with 64 KiB and with the least that libc allows, and signal handlers on a stack of their
 * own, as small as allowed. The stacks are painted first, so that the use of a reading is known to the byte.
 */

#include "real.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

#define PAINT 0x5c
#define SMALL_BYTES 65536

/* The stack that readings may use, as docs/extrapolation.md says. The kernel's own frame of a handler comes on top
 * of it: 1 to 12 KiB, depending on the CPU's registers. */
#if defined(__aarch64__)
#define READING_BYTES 1280
#else
#define READING_BYTES 1024
#endif
#define WAITS_BYTES (READING_BYTES + 256)
#define TID_READING_BYTES 4096
#define FRAME_BYTES_MAX 12288

static char *stack;
static size_t stack_bytes;

/* There is a page below it that nobody may touch. */
static bool map_stack(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    stack_bytes = (bytes + page - 1) / page * page;
    char *memory = mmap(NULL, stack_bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) {
        return false;
    }
    stack = memory + page;
    memset(stack, PAINT, stack_bytes);
    return true;
}

static void unmap_stack(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(stack - page, stack_bytes + page);
}

static int64_t used_of_stack(void)
{
    size_t untouched = 0;
    while (untouched < stack_bytes && stack[untouched] == PAINT) {
        untouched++;
    }
    return (int64_t)(stack_bytes - untouched);
}

/* ---- threads ---- */

static void *read_on_small_stack(void *who)
{
    struct tclk_times times;
    int64_t wrong = 0;
    for (int i = 0; i < 1000; i++) {
        int64_t before_ns = kernel_cpu_ns();
        wrong += tclk_thread_read(&times) != 0 || times.cpu_ns < before_ns - witness_slack_ns() ||
                 !times_are_consistent(times);
        wrong += tclk_tid_cpu_ns(getppid()) == 0; /* uses all layers once */
    }
    return (void *)(uintptr_t)(wrong + (who == NULL));
}

static void thread_of(size_t bytes, const char *source, const char *who)
{
    pthread_t thread;
    void *wrong = (void *)1;
    times_now();
    struct leftovers before = leftovers_now();
    if (skips(thread_start_small(&thread, bytes, read_on_small_stack, (void *)(uintptr_t)who) != 0,
              "a thread with little stack reads right", who)) {
        return;
    }
    pthread_join(thread, &wrong);
    is_ns((uintptr_t)wrong, 0, "%s: a thread of %s reads right", source, who);
    leftovers_none(before, who);
}

static void small_threads(const char *source)
{
    thread_of(SMALL_BYTES, source, "64 KiB");
    thread_of((size_t)PTHREAD_STACK_MIN, source, "the least that libc gives");
}

/* ---- handlers ---- */

static int handled;
static int64_t handler_wrong;

static void on_empty(int number)
{
    (void)number;
    handled++;
}

static void on_read(int number)
{
    struct tclk_times times;
    handled += number != 0;
    handler_wrong += tclk_thread_read(&times) != 0 || !times_are_consistent(times);
}

static void set_handler(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
}

static void on_waits(int number)
{
    struct tclk_waits waits;
    handled += number != 0;
    tclk_thread_waits(&waits);
    handler_wrong += waits.voluntary_switches < 0 || waits.involuntary_switches < 0;
}

static pid_t observed;

static void on_read_other(int number)
{
    struct tclk_times times;
    handled += number != 0;
    handler_wrong += tclk_tid_read(observed, &times) != 0 || !times_are_consistent(times);
}

static void on_waits_other(int number)
{
    struct tclk_waits waits;
    handled += number != 0;
    tclk_tid_waits(observed, &waits);
    handler_wrong += waits.voluntary_switches < 0 || waits.involuntary_switches < 0;
}

/* Returns the bytes of its stack that the handler has used, with the kernel's frame. */
static int64_t used_by(void (*handler)(int))
{
    memset(stack, PAINT, stack_bytes);
    set_handler(handler);
    raise(SIGUSR1);
    return used_of_stack();
}

static bool use_stack_for_handlers(size_t bytes)
{
    stack_t alternative = {.ss_sp = stack, .ss_size = bytes};
    return sigaltstack(&alternative, NULL) == 0;
}

static void stop_using_stack(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    unmap_stack();
}

/* In a process that has not read yet, the library proves its sources in the handler. */
static void first_reading_of_all(void)
{
    map_stack(SMALL_BYTES);
    use_stack_for_handlers(SMALL_BYTES);
    int64_t frame = used_by(on_empty);
    int64_t used = used_by(on_read) - frame;
    is_ns(handler_wrong, 0, "a process's first reading may be a handler's");
    ok(!KIND_IS_PLAIN || used <= READING_BYTES, "it uses at most %d bytes of its stack", READING_BYTES);
    diag("%" PRId64 " bytes, beside the kernel's %" PRId64, used, frame);
}

static int64_t most_used_by(void (*handler)(int))
{
    int64_t most = 0;
    map_stack(SMALL_BYTES);
    use_stack_for_handlers(SMALL_BYTES);
    int64_t frame = used_by(on_empty);
    handler_wrong = 0;
    for (int i = 0; i < 20; i++) {
        if (i % 2 == 0) {
            sleep_ns(12 * MS);
        }
        int64_t used = used_by(handler) - frame;
        most = used > most ? used : most;
    }
    stop_using_stack();
    diag("%" PRId64 " bytes, beside the kernel's %" PRId64, most, frame);
    return most;
}

static void is_frugal(void (*handler)(int), int limit, const char *source, const char *what)
{
    int64_t most = most_used_by(handler);
    is_ns(handler_wrong, 0, "%s: %s in a handler is right", source, what);
    ok(!KIND_IS_PLAIN || most <= limit, "%s: … and uses at most %d bytes of stack", source, limit);
}

static void work_a_little(void *ns)
{
    sleep_ns(*(int64_t *)ns);
}

/* Right after an anchor, the handler extrapolates. After a sleep, it asks the kernel; for another thread, it then
 * also reads the thread's start. */
static void handlers(const char *source)
{
    int64_t nap_ns = MS;
    struct repeater other;
    repeater_start(&other, work_a_little, &nap_ns);
    observed = other.tid;
    is_frugal(on_read, READING_BYTES, source, "a reading");
    is_frugal(on_waits, WAITS_BYTES, source, "how a thread waits, asked");
    is_frugal(on_read_other, TID_READING_BYTES, source, "one of another thread");
    is_frugal(on_waits_other, TID_READING_BYTES, source, "how another thread waits, asked");
    repeater_stop(&other);
}

/* The stack that the kernel needs to call a handler, which it tells since 5.14, plus that of a reading. */
static size_t least_handler_stack(void)
{
    size_t told = (size_t)getauxval(AT_MINSIGSTKSZ);
    return (told > 0 ? told : FRAME_BYTES_MAX) + READING_BYTES;
}

static void least_stack(const char *source)
{
    size_t bytes = least_handler_stack();
    map_stack(bytes);
    if (skips(!use_stack_for_handlers(bytes), "a handler on the least stack reads right", "so small a stack")) {
        return;
    }
    handler_wrong = 0;
    handled = 0;
    set_handler(on_read);
    for (int i = 0; i < 1000; i++) {
        if (i % 100 == 0) {
            sleep_ns(US);
        }
        raise(SIGUSR1);
    }
    stop_using_stack();
    is_ns(handled, 1000, "%s: a handler on a stack of %zu bytes reads", source, bytes);
    is_ns(handler_wrong, 0, "%s: … and right", source);
}

int main(void)
{
    in_child(first_reading_of_all);
    with_each_source(small_threads);
    with_each_source(handlers);
    if (!skips(!KIND_IS_PLAIN, "a handler on the least stack reads right",
               "a build without a sanitizer, which uses more")) {
        with_each_source(least_stack);
    }
    return done();
}
