/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Threads that end by the bare system call, as those of a library without libc do, run no destructors. Their records,
 * and what belongs to them, come back all the same, and a thread that gets such a tid has its own times.
 */

#include "real.h"

#define ENDED 400
#define BURNT_NS (20 * MS)

/* While a thread lives, each new one checks at least two records. */
#define LEFT_MOST 40

#define STACK_BYTES (256 * 1024)

static pid_t left;

static void *run_and_leave(void *body)
{
    pid_t tid = tclk_tid_own();
    (*(void (**)(void))body)();
    __atomic_store_n(&left, tid, __ATOMIC_RELEASE);
    syscall(SYS_exit, 0);
    return NULL;
}

/* Nobody joins it, because musl would wait for an end that it knows of. Its stack stays. */
static void in_thread_that_leaves(void (*body)(void))
{
    pthread_t thread;
    left = 0;
    if (thread_start_small(&thread, STACK_BYTES, run_and_leave, &body) != 0) {
        abort();
    }
    thread_await_tid(&left);
    thread_await_gone(left);
}

static void come_back(const char *source)
{
    struct leftovers before = leftovers_now();
    for (int i = 0; i < ENDED; i++) {
        in_thread_that_leaves(read_times_once);
    }
    struct leftovers after = leftovers_now();
    ok(after.records - before.records < LEFT_MOST, "%s: %d threads that ended without libc leave %" PRId64 " records",
       source, ENDED, after.records - before.records);
    ok(after.pages - before.pages < LEFT_MOST, "%s: … and %" PRId64 " perf pages", source, after.pages - before.pages);
}

static void is_nobodys(const char *source)
{
    in_thread_that_leaves(read_times_once);
    uint64_t threads = (uint64_t)leftovers_now().records;
    is_ns(tclk_tid_cpu_ns(left), -ESRCH, "%s: one of them is no thread of this process", source);
    is_ns((int64_t)threads - leftovers_now().records, 1, "%s: … and whoever has asked ends its record", source);
}

/* ---- a thread that gets the tid ---- */

static void burn(void)
{
    times_now();
    spin_cpu_ns(BURNT_NS);
    times_now();
}

static bool reads_itself;
static int64_t wrong;
static int64_t reused;

static bool is_right(struct tclk_times times, int64_t before_ns)
{
    return times.cpu_ns >= before_ns && times.cpu_ns <= kernel_cpu_ns() && times.user_ns <= times.cpu_ns;
}

static struct tclk_times observed;

static void observe(void)
{
    tclk_tid_read(left, &observed);
}

static void compare(void)
{
    if (tclk_tid_own() != left) {
        return;
    }
    int64_t before_ns = kernel_cpu_ns();
    if (reads_itself) {
        observed = times_now();
    } else {
        test_in_thread(observe);
    }
    wrong += !is_right(observed, before_ns);
    reused++;
}

static void is_its_own(const char *source, const char *who)
{
    wrong = reused = 0;
    in_thread_that_leaves(burn);
    for (int attempt = 0; attempt < 50 && reused == 0; attempt++) {
        if (skips(!thread_choose_next_tid(left), who, THREAD_TID_CHOICE)) {
            return;
        }
        test_in_thread(compare);
    }
    if (skips(reused == 0, who, "a tid that nobody else takes meanwhile")) {
        return;
    }
    is_ns(wrong, 0, "%s: the next thread with its tid, %s, has its own times", source, who);
}

static void leaves_its_tid(const char *source)
{
    reads_itself = true;
    is_its_own(source, "read by itself");
    reads_itself = false;
    is_its_own(source, "read by others");
}

int main(void)
{
    if (skips(KIND_IS_ASAN, "threads may end by the system call alone", "AddressSanitizer, which does not let them")) {
        return done();
    }
    times_now();
    with_each_source(come_back);
    with_each_source(is_nobodys);
    with_each_source(leaves_its_tid);
    return done();
}
