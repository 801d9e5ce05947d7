/* SPDX-License-Identifier: Apache-2.0 */

/*
 * copies cost FIRST SECOND: loads two copies of the library, and prints what a reading by each costs.
 * copies LAW FIRST SECOND: loads two copies of the library, and prints how a law is broken if both are asked in turn.
 * A copy is a libthreadclock.so; or a library with functions named plugin_*, which keeps those of threadclock.h to
 * itself; or `own`, the copy that this program is linked with, if it is (-DHAS_OWN).
 */

#include "real/laws.h"
#include "real/threads.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define READINGS 50000

struct copy {
    int (*thread_read)(struct tclk_times *times);
    int (*tid_read)(pid_t tid, struct tclk_times *times);
    int (*configure)(const struct tclk_config *config, size_t size);
    enum tclk_source (*source)(void);
    void (*stats)(struct tclk_stats *stats, size_t size);
    size_t (*explain)(char *buffer, size_t size);
};

static struct copy copies[2];

static void *find(void *library, const char *name)
{
    char plugins[64];
    void *function = dlsym(library, name);
    (void)snprintf(plugins, sizeof plugins, "plugin_%s", name + strlen("tclk_"));
    return function != NULL ? function : dlsym(library, plugins);
}

static struct copy load(const char *path)
{
#ifdef HAS_OWN
    if (strcmp(path, "own") == 0) {
        return (struct copy){tclk_thread_read,  tclk_tid_read,          tclk_clock_configure_sized,
                             tclk_clock_source, tclk_clock_stats_sized, tclk_clock_explain};
    }
#endif
    struct copy copy;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("%s\n", dlerror());
        exit(1);
    }
    *(void **)&copy.thread_read = find(library, "tclk_thread_read");
    *(void **)&copy.tid_read = find(library, "tclk_tid_read");
    *(void **)&copy.configure = find(library, "tclk_clock_configure_sized");
    *(void **)&copy.source = find(library, "tclk_clock_source");
    *(void **)&copy.stats = find(library, "tclk_clock_stats_sized");
    *(void **)&copy.explain = find(library, "tclk_clock_explain");
    return copy;
}

static void tell(const char *who, const struct sequence *sequence)
{
    int64_t broken = sequence->cpu_back + sequence->user_back + sequence->outgrown;
    if (broken > 0) {
        printf("%s: %" PRId64 " of %d readings contradict the one before, by up to %" PRId64 " ns\n", who, broken,
               READINGS, sequence->worst_ns);
    }
}

static void read_in_turn(const char *who)
{
    struct sequence sequence = {0};
    for (int i = 0; i < READINGS; i++) {
        struct tclk_times now = {0};
        if (copies[i % 2].thread_read(&now) != 0) {
            printf("%s: a reading fails\n", who);
            return;
        }
        sequence_judge(&sequence, now);
    }
    tell(who, &sequence);
}

/* ---- one thread is read by itself and by another one ---- */

static pid_t worker;
static struct tclk_times told; /* by the worker, under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t step;

/* The lock puts the readings of both in an order. */
static void read_in_step(const char *who, bool is_worker)
{
    struct sequence sequence = {0};
    pthread_barrier_wait(&step);
    for (int i = 0; i < READINGS; i++) {
        struct tclk_times now = {0};
        pthread_mutex_lock(&lock);
        is_worker ? copies[0].thread_read(&now) : copies[1].tid_read(worker, &now);
        sequence_judge(&sequence, told);
        sequence_judge(&sequence, now);
        told = now;
        pthread_mutex_unlock(&lock);
    }
    tell(who, &sequence);
    pthread_barrier_wait(&step);
}

static void *work(void *unused)
{
    worker = (pid_t)syscall(SYS_gettid);
    read_in_step("a thread by itself", true);
    return unused;
}

static void threads(void)
{
    pthread_barrier_init(&step, NULL, 2);
    pthread_t thread = thread_start(work, NULL);
    read_in_step("a thread by another one", false);
    pthread_join(thread, NULL);
}

/* ---- the laws ---- */

static void in_turn(void)
{
    read_in_turn("in turn");
}

/* A fork child's CPU time starts at 0. */
static void forks(void)
{
    struct tclk_times parent = {0};
    do {
        copies[0].thread_read(&parent);
    } while (parent.cpu_ns < 20000000);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 1; i >= 0; i--) {
            struct tclk_times now = {0};
            if (copies[i].thread_read(&now) != 0 || now.cpu_ns >= parent.cpu_ns) {
                printf("a child begins with its parent's time\n");
            }
        }
        read_in_turn("in a child");
        (void)fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    read_in_turn("in a parent");
}

/* It is open three times then: both copies are this one. */
static void *read_and_unload(void *unused)
{
    Dl_info object;
    copies[0].thread_read(&told);
    dladdr(*(void **)&copies[0].thread_read, &object);
    void *library = dlopen(object.dli_fname, RTLD_NOW);
    for (int i = 0; i < 3; i++) {
        dlclose(library);
    }
    return unused;
}

static void unloaded(void)
{
    int status;
    in_thread(read_and_unload, NULL);
    if (fork() == 0) {
        _exit(0);
    }
    wait(&status);
    exit(status);
}

static void settings(void)
{
    const struct tclk_config config = {.source = TCLK_SOURCE_CLOCK};
    int error = copies[1].configure(&config, sizeof config);
    if (error != 0 || copies[0].source() != TCLK_SOURCE_CLOCK) {
        printf("the second copy configures a clock of its own: %d\n", error);
    }
    if (copies[0].source() != copies[1].source()) {
        printf("their sources differ\n");
    }
}

/* A marker of the other copy would look like a switch. */
static void quiet(void)
{
    struct tclk_stats stats;
    read_in_turn("in turn");
    if (copies[1].source() == TCLK_SOURCE_CLOCK) {
        return;
    }
    copies[1].stats(&stats, sizeof stats);
    if (stats.resyncs_switch > READINGS / 10) {
        printf("%llu of %d readings find a switch\n", (unsigned long long)stats.resyncs_switch, READINGS);
    }
}

#define ROUNDS 15

static int by_value(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

/* In CPU time, which other programs do not add to. */
static void cost(void)
{
    double ns[2][ROUNDS];
    struct tclk_times begin = {0};
    struct tclk_times end = {0};
    for (int round = 0; round < ROUNDS * 2; round++) {
        struct tclk_times now;
        copies[0].thread_read(&begin);
        for (int i = 0; i < READINGS; i++) {
            copies[round % 2].thread_read(&now);
        }
        copies[0].thread_read(&end);
        ns[round % 2][round / 2] = (double)(end.cpu_ns - begin.cpu_ns) / READINGS;
    }
    for (int i = 0; i < 2; i++) {
        qsort(ns[i], ROUNDS, sizeof ns[i][0], by_value);
        printf("copy %d: %.1f ns a reading (%.1f to %.1f)\n", i + 1, ns[i][ROUNDS / 2], ns[i][0], ns[i][ROUNDS - 1]);
    }
}

static void read_alone(void)
{
    struct tclk_times times = {0};
    if (copies[0].thread_read(&times) != 0 || times.cpu_ns <= 0) {
        printf("the first copy does not answer\n");
    }
}

static void refuses(void)
{
    char text[256];
    struct tclk_times times = {1, 2, 3};
    const struct tclk_config config = {.source = TCLK_SOURCE_AUTO};
    copies[1].explain(text, sizeof text);
    printf("%d %d %d, ", copies[1].thread_read(&times), copies[1].tid_read(getpid(), &times),
           copies[1].configure(&config, sizeof config));
    printf("%lld untouched: %s\n", (long long)times.cpu_ns, text);
    read_alone();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*check)(void);
    } laws[] = {{"in-turn", in_turn}, {"threads", threads}, {"forks", forks}, {"settings", settings},
                {"quiet", quiet},     {"refuses", refuses}, {"cost", cost},   {"unloaded", unloaded}};
    if (argc != 4) {
        return 2;
    }
    copies[0] = load(argv[2]);
    copies[1] = load(argv[3]);
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        if (strcmp(argv[1], laws[i].name) == 0) {
            laws[i].check();
            return 0;
        }
    }
    return 2;
}
