/* SPDX-License-Identifier: Apache-2.0 */

/* No reading is a cancellation point: a thread that is cancelled in one completes what it began. */

#include "clock/settings.h"
#include "real.h"

#define TEXT_BYTES 1024

static bool goes_on;

static void *in_cancelled_thread(void *function)
{
    pthread_cancel(pthread_self());
    ((void (*)(void))(uintptr_t)function)();
    goes_on = true;
    pthread_testcancel();
    return NULL;
}

static bool is_cancelled_inside(void (*function)(void))
{
    void *result;
    goes_on = false;
    pthread_join(thread_start(in_cancelled_thread, (void *)(uintptr_t)function), &result);
    return !goes_on || result != PTHREAD_CANCELED;
}

/* Reads the thread's start in /proc, if nothing else. */
static void read_main(void)
{
    struct tclk_times times;
    tclk_tid_read(getpid(), &times);
}

static void explain(void)
{
    char text[TEXT_BYTES];
    tclk_clock_explain(text, sizeof text);
}

static void configure_proc(void)
{
    source_ask(TCLK_SOURCE_PROC);
    read_times_once();
    read_main();
}

static void configure_sampled(void)
{
    split_ask(TCLK_SPLIT_SAMPLED);
    read_times_once();
}

static const struct {
    void (*function)(void);
    const char *name;
} functions[] = {
    {read_times_once, "a first reading"},   {read_main, "a reading of another thread"}, {explain, "an explanation"},
    {configure_proc, "a choice of source"}, {configure_sampled, "a choice of split"},
};

static size_t function_at;

/* Each test is the first reading of its process, so it proves the sources, too. */
static void is_not_interrupted(void)
{
    const char *name = functions[function_at].name;
    ok(!is_cancelled_inside(functions[function_at].function), "%s is no cancellation point", name);
    is_ns(tclk_clock_configure(&(struct tclk_config){.split = tclk_settings.split, .window_ns = MS}), 0,
          "%s leaves nothing begun: the clock can be configured", name);
}

int main(void)
{
    for (function_at = 0; function_at < COUNT(functions); function_at++) {
        in_child(is_not_interrupted);
    }
    return done();
}
