/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the two sources that show what JDKs do: ticks as JDK 26, and proc as JDK 8 to 25. They show unchanged
 * values. */

#include "real.h"
#include "ticks.h"

#define TRIES 50

static int64_t virt_now_ns(void)
{
    return ticked_now_ns(TCLK_CLOCK_VIRT);
}

/* Reads the 14th field in the test's own way, for a name without parentheses. */
static int64_t proc_now_ns(void)
{
    char path[64];
    char line[1024] = "";
    long long ticks = -1;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tclk_tid_own());
    int fd = open(path, O_RDONLY);
    if (read(fd, line, sizeof line - 1) > 0) {
        sscanf(strrchr(line, ')') + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld", &ticks);
    }
    close(fd);
    return ticks * 10 * MS;
}

static int64_t wrong;

static void compare(int64_t (*theirs)(void))
{
    int64_t cpu_before_ns = kernel_cpu_ns();
    int64_t before_ns = theirs();
    struct tclk_times times = times_now();
    int64_t user_ns = tclk_thread_user_ns();
    int64_t cpu_ns = tclk_thread_cpu_ns();
    int64_t after_ns = theirs();
    int64_t cpu_after_ns = kernel_cpu_ns();
    wrong += times.user_ns < before_ns || user_ns < times.user_ns || after_ns < user_ns;
    wrong += times.cpu_ns < cpu_before_ns || cpu_ns < times.cpu_ns || cpu_after_ns < cpu_ns;
    wrong += times.user_ns + times.system_ns != times.cpu_ns;
}

static void *compare_often(void *theirs)
{
    for (int i = 0; i < TRIES; i++) {
        spin_cpu_ns(MS);
        compare(*(int64_t(**)(void))theirs);
    }
    return NULL;
}

static bool shows(struct tclk_config config, int64_t (*theirs)(void), const char *sentence)
{
    if (!source_is_here(config)) {
        return false;
    }
    wrong = 0;
    in_thread(compare_often, (void *)&theirs);
    is_ns(wrong, 0, "%s", sentence);
    return true;
}

static void source_shows(enum tclk_source source, int64_t (*theirs)(void), const char *sentence)
{
    if (shows(source_config(source), theirs, sentence)) {
        ok(tclk_clock_source() == source, "it is the source in use");
    }
}

/* Readings before, between and after belong to one thread. */
static void comes_back(void)
{
    source_use(TCLK_SOURCE_AUTO);
    struct tclk_times before = times_now();
    source_use(TCLK_SOURCE_TICKS);
    times_now();
    source_use(TCLK_SOURCE_AUTO);
    struct tclk_times after = times_now();
    ok(after.cpu_ns >= before.cpu_ns && after.user_ns >= before.user_ns &&
           after.user_ns - before.user_ns <= after.cpu_ns - before.cpu_ns,
       "after a look through another's eyes readings go on from where they were");
}

int main(void)
{
    source_shows(TCLK_SOURCE_TICKS, virt_now_ns, "ticks: user time is the raw tick counter");
    source_shows(TCLK_SOURCE_PROC, proc_now_ns, "proc: user time is what the file says");
    shows((struct tclk_config){.split = TCLK_SPLIT_TICKS}, virt_now_ns,
          "split ticks shows the raw tick counter, from any source");
    comes_back();
    return done();
}
