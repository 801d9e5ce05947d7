/* SPDX-License-Identifier: Apache-2.0 */

/*
 * interposed [LIBRARY]: what libthreadclock-preload.so, which is preloaded into this program, makes of libc's clocks of
 * threads. This program is not linked with the library, and asks the kernel by system calls. LIBRARY is another copy of
 * the clock, which it loads. TAP.
 * interposed cost: what it adds to the other clocks.
 */

#include "include/threadclock.h"
#include "real/clocks.h"
#include "real/seccomp.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

#define DAY_NS INT64_C(86400000000000)
#define READS 20000

/* An anchor is that exact, even on a machine whose system calls take microseconds. */
#define BELOW_MOST_NS INT64_C(100000)

/* See kernel/clockid.h. */
#define KIND_SCHED 2
#define CLOCK_OF(tid, kind) ((clockid_t)((~(uint32_t)(tid) << 3) | 4u | (kind)))

/* ---- clocks, by libc and by the kernel ---- */

static int64_t us_of(struct timeval t)
{
    return ns_of_timeval(t) / US;
}

static int64_t libc_ns(clockid_t id)
{
    struct timespec t = {-1, -1};
    return clock_gettime(id, &t) == 0 ? ns_of_timespec(t) : -errno;
}

static int64_t kernel_ns(clockid_t id)
{
    struct timespec t = {-1, -1};
    return syscall(SYS_clock_gettime, id, &t) == 0 ? ns_of_timespec(t) : -errno;
}

static int64_t own_ns(void)
{
    return libc_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int64_t kernel_own_ns(void)
{
    return kernel_ns(CLOCK_THREAD_CPUTIME_ID);
}

static clockid_t clock_of(pthread_t thread)
{
    clockid_t id;
    if (pthread_getcpuclockid(thread, &id) != 0) {
        abort();
    }
    return id;
}

static void spin(int64_t ns)
{
    int64_t end_ns = kernel_own_ns() + ns;
    while (kernel_own_ns() < end_ns) {
    }
}

/* A thread that has not read yet gets the kernel's time; then its readings follow the kernel's and never go back. */
static bool reads_right(void)
{
    int64_t before_ns = kernel_own_ns();
    int64_t last_ns = own_ns();
    bool right = before_ns <= last_ns && last_ns <= kernel_own_ns();
    for (int i = 0; i < READS && right; i++) {
        before_ns = i % 64 == 0 ? kernel_own_ns() - BELOW_MOST_NS : 0;
        int64_t now_ns = own_ns();
        right = now_ns >= last_ns && now_ns >= before_ns;
        last_ns = now_ns;
    }
    return right;
}

static void *read_in_thread(void *right)
{
    *(bool *)right = reads_right();
    return NULL;
}

static bool in_thread(void *(*body)(void *))
{
    pthread_t thread;
    bool right = false;
    return pthread_create(&thread, NULL, body, &right) == 0 && pthread_join(thread, NULL) == 0 && right;
}

static bool ended_well(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}

/* ---- the calling thread ---- */

static void *read_by_both_ids(void *right)
{
    clockid_t id = clock_of(pthread_self());
    int64_t before_ns = kernel_own_ns();
    int64_t last_ns = libc_ns(id);
    *(bool *)right = before_ns <= last_ns && last_ns <= kernel_own_ns();
    for (int i = 0; i < READS; i++) {
        int64_t now_ns = i % 2 == 0 ? own_ns() : libc_ns(id);
        *(bool *)right &= now_ns >= last_ns;
        last_ns = now_ns;
    }
    return NULL;
}

static void reads_itself(void)
{
    ok(in_thread(read_in_thread), "a thread reads the kernel's CPU time first, and goes on from there");
    ok(in_thread(read_by_both_ids), "…also by the id of pthread_getcpuclockid(), in the same sequence");
    int wrong = 0;
    for (int i = 0; i < 100; i++) {
        wrong += !in_thread(read_in_thread);
    }
    is_ns(wrong, 0, "100 threads that come and go, each from its own beginning");
}

static void leaves_errno(void)
{
    struct rusage usage;
    clockid_t others = clock_of(pthread_self());
    errno = 4711;
    for (int i = 0; i < 1000; i++) {
        own_ns();
        libc_ns(others);
        getrusage(RUSAGE_THREAD, &usage);
    }
    is_ns(errno, 4711, "readings leave errno as it was");
}

/* ---- usage ---- */

static int64_t usage_us(struct rusage *usage)
{
    *usage = (struct rusage){.ru_utime = {-1, 0}, .ru_maxrss = -1};
    return getrusage(RUSAGE_THREAD, usage) == 0 ? us_of(usage->ru_utime) + us_of(usage->ru_stime) : -1;
}

/* Each of the two times is rounded down to 1 us. */
#define ROUNDED_US 2

static void usage_agrees(void)
{
    struct rusage last;
    int64_t wrong = usage_us(&last) < 0;
    int64_t back = 0;
    for (int i = 0; i < READS; i++) {
        struct rusage now;
        int64_t before_us = own_ns() / 1000;
        int64_t sum_us = usage_us(&now);
        int64_t after_us = own_ns() / 1000;
        wrong += sum_us < before_us - ROUNDED_US || sum_us > after_us;
        back += us_of(now.ru_utime) < us_of(last.ru_utime) || us_of(now.ru_stime) < us_of(last.ru_stime);
        last = now;
    }
    is_ns(wrong, 0, "RUSAGE_THREAD: user and system time add up to what the clock reads at that moment");
    is_ns(back, 0, "…and neither steps back");
    ok(last.ru_maxrss > 0 && last.ru_minflt > 0, "…the other figures are the kernel's");
}

/* ---- what is passed through ---- */

static int wrong_between(clockid_t id)
{
    int wrong = 0;
    for (int i = 0; i < 100; i++) {
        int64_t before_ns = kernel_ns(id);
        int64_t now_ns = libc_ns(id);
        wrong += before_ns < 0 || before_ns > now_ns || now_ns > kernel_ns(id);
    }
    return wrong;
}

static void passes_through(void)
{
    static const struct {
        clockid_t id;
        const char *name;
    } clocks[] = {{CLOCK_MONOTONIC, "CLOCK_MONOTONIC"},
                  {CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW"},
                  {CLOCK_BOOTTIME, "CLOCK_BOOTTIME"},
                  {CLOCK_PROCESS_CPUTIME_ID, "CLOCK_PROCESS_CPUTIME_ID"},
                  {CLOCK_OF(0, 0), "a thread's clock of ticks"},
                  {CLOCK_OF(0, 1), "a thread's clock of user ticks"}};
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        is_ns(wrong_between(clocks[i].id), 0, "%s is the kernel's", clocks[i].name);
    }
    clockid_t process;
    clock_getcpuclockid(0, &process);
    is_ns(wrong_between(process), 0, "the clock of clock_getcpuclockid() is the kernel's");
    struct timespec ours = {-1, -1};
    struct timespec kernels = {-2, -2};
    clock_getres(CLOCK_THREAD_CPUTIME_ID, &ours);
    syscall(SYS_clock_getres, CLOCK_THREAD_CPUTIME_ID, &kernels);
    is_ns(ns_of_timespec(ours), ns_of_timespec(kernels), "clock_getres() tells the kernel's resolution");
}

static pid_t ended_tid;

static void *tell_tid(void *right)
{
    ended_tid = (pid_t)syscall(SYS_gettid);
    *(bool *)right = true;
    return NULL;
}

static void errors_are_libcs(void)
{
    in_thread(tell_tid);
    while (syscall(SYS_tgkill, getpid(), ended_tid, 0) == 0 || errno != ESRCH) {
    }
    clockid_t ids[] = {99,
                       -1,
                       CLOCK_OF(ended_tid, KIND_SCHED),
                       CLOCK_OF(1, KIND_SCHED),
                       CLOCK_OF(0, 3),
                       CLOCK_OF(INT32_MAX >> 4, KIND_SCHED),
                       CLOCK_OF(ended_tid, 1)};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct timespec t = {-5, -5};
        int error = clock_gettime(ids[i], &t) == 0 ? 0 : errno;
        int kernels = syscall(SYS_clock_gettime, ids[i], &t) == 0 ? 0 : errno;
        ok(error == kernels && error != 0 && t.tv_sec == -5,
           "clock id %#x: the error is libc's, and nothing is written", (unsigned)ids[i]);
    }
    int (*volatile gettime)(clockid_t, struct timespec *) = clock_gettime; /* compilers know that it takes no NULL */
    bool refused = gettime(CLOCK_THREAD_CPUTIME_ID, NULL) == -1 && errno == EFAULT;
    ok(refused, "NULL is EFAULT");
    struct rusage usage;
    ok(getrusage(99, &usage) == -1 && errno == EINVAL, "getrusage() of nobody is EINVAL");
    ok(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0, "RUSAGE_SELF is the kernel's");
}

/* ---- other threads ---- */

#define OBSERVERS 2

static clockid_t observed;
static _Atomic int64_t told_ns;
static _Atomic int64_t went_back;
static _Atomic bool over;

/* A reading that begins after another one has ended is not less. */
static void note(int64_t least_ns, int64_t now_ns)
{
    went_back += now_ns < least_ns;
    int64_t told = told_ns;
    while (told < now_ns && !atomic_compare_exchange_weak(&told_ns, &told, now_ns)) {
    }
}

static void *observe(void *unused)
{
    while (!over) {
        int64_t least_ns = told_ns;
        note(least_ns, libc_ns(observed));
    }
    return unused;
}

static void is_one_sequence(const char *who, int64_t (*also)(void))
{
    pthread_t observers[OBSERVERS];
    observed = clock_of(pthread_self());
    told_ns = went_back = 0;
    over = false;
    for (int i = 0; i < OBSERVERS; i++) {
        pthread_create(&observers[i], NULL, observe, NULL);
    }
    for (int64_t end_ns = kernel_own_ns() + 60 * MS; kernel_own_ns() < end_ns;) {
        for (int i = 0; i < 100; i++) {
            int64_t least_ns = told_ns;
            note(least_ns, i % 2 == 0 || also == NULL ? own_ns() : also());
        }
    }
    over = true;
    for (int i = 0; i < OBSERVERS; i++) {
        pthread_join(observers[i], NULL);
    }
    is_ns(went_back, 0, "%s: what a thread reads of itself, and others of it, is one sequence", who);
}

/* ---- signal handlers ---- */

static volatile int64_t handler_ns;
static volatile int handled;
static volatile int handler_back;

static void on_alarm(int number)
{
    struct rusage usage;
    int saved = errno;
    (void)number;
    int64_t now_ns = own_ns();
    handler_back += now_ns < handler_ns || usage_us(&usage) < now_ns / 1000 - ROUNDED_US;
    handler_ns = now_ns;
    handled++;
    errno = saved;
}

static void reads_in_handlers(void)
{
    int back = 0;
    set_alarms(300, on_alarm);
    while (handled < 200) {
        int64_t least_ns = handler_ns;
        int64_t now_ns = own_ns();
        back += now_ns < least_ns;
    }
    set_alarms(0, SIG_IGN);
    is_ns(back + handler_back, 0, "readings in signal handlers, and in what they interrupt, never step back");
}

/* ---- children ---- */

enum how { WITHOUT, WITH, NO_FILTER }; /* whether a reading took a system call */

static enum how how_a_child_reads(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        own_ns();
        bool is_refused = seccomp_refuse(SYS_clock_gettime, EPERM);
        _exit(!is_refused ? NO_FILTER : own_ns() < 0 ? WITH : WITHOUT);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

/* A reading after a switch takes one, so that a child may be unlucky. */
static enum how how_children_read(void)
{
    enum how how = WITH;
    for (int i = 0; i < 20 && how == WITH; i++) {
        how = how_a_child_reads();
    }
    return how;
}

static void children_read_their_own(void)
{
    spin(20 * MS);
    own_ns();
    pid_t child = fork();
    if (child == 0) {
        _exit(reads_right() && in_thread(read_in_thread) ? 0 : 1);
    }
    ok(ended_well(child), "a child of fork() reads its own time, from 0, and so do its threads");
    int64_t parents_ns = own_ns();
    int wrong = 0;
    for (int i = 0; i < 100; i++) {
        own_ns(); /* arms the detector */
        own_ns();
        child = vfork();
        if (child == 0) {
            struct rusage usage;
            int64_t before_ns = kernel_own_ns();
            int64_t now_ns = own_ns();
            int64_t sum_us = usage_us(&usage);
            int64_t after_ns = kernel_own_ns();
            _exit(before_ns <= now_ns && now_ns <= after_ns && sum_us <= after_ns / 1000 ? 0 : 1);
        }
        wrong += !ended_well(child);
    }
    is_ns(wrong, 0, "children of vfork() read their own time");
    ok(own_ns() >= parents_ns, "…and their parent goes on");
    int64_t kernels_ns = kernel_own_ns();
    ok(own_ns() >= kernels_ns - BELOW_MOST_NS, "…at the kernel's time");
    enum how before = how_children_read();
    child = vfork();
    if (child == 0) {
        _exit(0);
    }
    ended_well(child);
    is_ns(how_children_read(), before, "a child of fork() reads as before if its parent has just vforked");
    child = fork();
    if (child == 0) {
        _exit(reads_right() ? 0 : 1);
    }
    ok(ended_well(child), "…and its own time");
}

/* ---- the program's own filter ---- */

static bool goes_on_in_sandbox(bool has_read)
{
    pid_t child = fork();
    if (child == 0) {
        int64_t last_ns = has_read ? own_ns() : 0;
        bool right = seccomp_kill_readings();
        for (int64_t end_ns = last_ns + 20 * MS; last_ns < end_ns && right;) {
            int64_t now_ns = own_ns();
            right = now_ns >= last_ns;
            last_ns = now_ns;
        }
        right &= in_thread(read_in_thread);
        pid_t grandchild = fork();
        if (grandchild == 0) {
            _exit(right && reads_right() ? 0 : 1);
        }
        _exit(ended_well(grandchild) ? 0 : 1);
    }
    return ended_well(child);
}

static void goes_on_in_sandboxes(void)
{
    if (how_a_child_reads() == NO_FILTER) {
        skip("a program that sets a filter goes on", SECCOMP_MISSING);
        return;
    }
    ok(goes_on_in_sandbox(true), "a program that kills itself for what readings ask the kernel goes on");
    ok(goes_on_in_sandbox(false), "…and so it does if it has not read before");
}

/* ---- before constructors ---- */

static void *read_before(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static void works_before_constructors(void)
{
    const int *early = read_before("early_wrong");
    if (early == NULL) {
        skip("a constructor that runs before the library's reads the kernel's clock", "an early library");
        return;
    }
    is_ns(*early, 0, "a constructor that runs before the library's reads the kernel's clock");
}

/* ---- beside another copy ---- */

static int64_t (*library_cpu_ns)(void);
static int (*library_read)(struct tclk_times *);

static int64_t by_library_ns(void)
{
    return library_cpu_ns();
}

static void usage_is_one_sequence(void)
{
    int64_t wrong = 0;
    for (int i = 0; i < READS; i++) {
        struct tclk_times before;
        struct tclk_times after;
        struct rusage usage;
        library_read(&before);
        usage_us(&usage);
        library_read(&after);
        int64_t user_us = us_of(usage.ru_utime);
        wrong += user_us < before.user_ns / 1000 || user_us > after.user_ns / 1000;
    }
    is_ns(wrong, 0, "beside another copy: user time is one sequence, too");
}

static void needs_no_system_call(void *library)
{
    enum tclk_source (*source)(void);
    *(void **)&source = dlsym(library, "tclk_clock_source");
    enum how how = how_children_read();
    if (source() == TCLK_SOURCE_CLOCK || how == NO_FILTER) {
        skip("a reading needs no system call", how == NO_FILTER ? SECCOMP_MISSING : "a source that needs none");
    } else {
        is_ns(how, WITHOUT, "a reading needs no system call");
    }
}

static void is_one_clock_beside(const char *path)
{
    own_ns();
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!ok(library != NULL, "another copy is loaded")) {
        diag("%s", dlerror());
        return;
    }
    *(void **)&library_cpu_ns = dlsym(library, "tclk_thread_cpu_ns");
    *(void **)&library_read = dlsym(library, "tclk_thread_read");
    is_one_sequence("beside another copy", by_library_ns);
    usage_is_one_sequence();
    ok(in_thread(read_in_thread), "beside another copy: a new thread reads right");
    needs_no_system_call(library);
    children_read_their_own();
}

/* ---- what it costs those who ask for other clocks ---- */

#define ROUNDS 201
#define CALLS 20000

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In CPU time, which other programs do not add to. */
static double ns_of_one(int (*gettime)(clockid_t, struct timespec *), clockid_t id)
{
    struct timespec now;
    int64_t begin_ns = kernel_own_ns();
    for (int i = 0; i < CALLS; i++) {
        gettime(id, &now);
    }
    return (double)(kernel_own_ns() - begin_ns) / CALLS;
}

/* The two take turns, so that what slows the machine down for a while slows both. */
static void tell_cost(clockid_t id, const char *name)
{
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    int (*libcs)(clockid_t, struct timespec *) = NULL;
    int (*volatile preloaded)(clockid_t, struct timespec *) = clock_gettime;
    static double ns[ROUNDS];
    static double more_ns[ROUNDS];
    if (libc != NULL) {
        *(void **)&libcs = dlsym(libc, "clock_gettime");
    }
    if (libcs == NULL || libcs == preloaded) {
        printf("%s: nothing is preloaded\n", name);
        return;
    }
    for (int round = 0; round < ROUNDS; round++) {
        ns[round] = ns_of_one(libcs, id);
        more_ns[round] = ns_of_one(preloaded, id) - ns[round];
    }
    qsort(ns, ROUNDS, sizeof ns[0], by_value);
    qsort(more_ns, ROUNDS, sizeof more_ns[0], by_value);
    printf("%s: %.1f ns in libc, %.1f ns more preloaded (quartiles %.1f to %.1f)\n", name, ns[ROUNDS / 2],
           more_ns[ROUNDS / 2], more_ns[ROUNDS / 4], more_ns[ROUNDS * 3 / 4]);
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "cost") == 0) {
        tell_cost(CLOCK_MONOTONIC, "CLOCK_MONOTONIC");
        tell_cost(CLOCK_REALTIME, "CLOCK_REALTIME");
        return 0;
    }
    works_before_constructors();
    reads_itself();
    leaves_errno();
    usage_agrees();
    if (getenv("FAKETIME") == NULL) {
        passes_through();
        errors_are_libcs();
    } else {
        int64_t behind_ns = kernel_ns(CLOCK_REALTIME) - libc_ns(CLOCK_REALTIME);
        ok(behind_ns > DAY_NS, "libfaketime, not libc, answers what is passed through");
    }
    is_one_sequence("alone", NULL);
    reads_in_handlers();
    children_read_their_own();
    goes_on_in_sandboxes();
    if (count > 1) {
        is_one_clock_beside(arguments[1]);
    }
    return done();
}
