/* SPDX-License-Identifier: Apache-2.0 */

/* Tests what the clock says about itself, for any source that is refused, and for any reason. */

#include "machine.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <tap.h>

#define TEXT_BYTES 1024

static void tells(const char *whole, const char *part, const char *of_what)
{
    if (!ok(strstr(whole, part) != NULL, "%s: …%s…", of_what, part)) {
        diag("it says: %s", whole);
    }
}

static void tells_of_source(enum tclk_source source, const char *part)
{
    char text[TEXT_BYTES];
    tclk_source_explain(source, text, sizeof text);
    tells(text, part, tclk_source_name(source));
}

static void tells_of_clock(const char *part)
{
    char text[TEXT_BYTES];
    tclk_clock_explain(text, sizeof text);
    tells(text, part, "the clock");
}

/* ---- numbers that are not a source ---- */

static void numbers_of_no_source(void)
{
    static const int none[] = {TCLK_SOURCE_IDS + 1, 40, 2000000, -1, -5, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char text[TEXT_BYTES] = "";
        enum tclk_source source = (enum tclk_source)none[i];
        size_t length = tclk_source_explain(source, text, sizeof text);
        ok(strcmp(text, "no such source") == 0 && length == strlen(text), "%d is no source: %s", none[i], text);
        is_ns(tclk_clock_configure(&(struct tclk_config){.source = source}), -EINVAL, "…none to be configured");
        is_ns(tclk_clock_configure(&(struct tclk_config){.split = (enum tclk_split)none[i]}), -EINVAL, "…nor a split");
        ok(strcmp(tclk_source_name(source), "?") == 0, "…and has no name");
    }
    is_ns((int64_t)tclk_source_explain(TCLK_SOURCE_RSEQ, NULL, 0), strlen("not tried"),
          "without a buffer the length alone is told");
}

/* ---- errors ---- */

static const struct {
    int error;
    const char *name;
} errors[] = {
    {EPERM, "EPERM (1)"},    {ESRCH, "ESRCH (3)"},    {EACCES, "EACCES (13)"}, {EBUSY, "EBUSY (16)"},
    {EINVAL, "EINVAL (22)"}, {EMFILE, "EMFILE (24)"}, {ENFILE, "ENFILE (23)"}, {ENODEV, "ENODEV (19)"},
    {ENOENT, "ENOENT (2)"},  {ENOMEM, "ENOMEM (12)"}, {ENOSYS, "ENOSYS (38)"}, {EIO, "another error (5)"},
};

#define ERRORS (sizeof errors / sizeof errors[0])

static size_t error_at;

static void rseq_is_refused(void)
{
    machine.rseq_error = errors[error_at].error;
    tclk_clock_source();
    tells_of_source(TCLK_SOURCE_RSEQ, errors[error_at].name);
}

static void every_error_has_a_name(void)
{
    for (error_at = 0; error_at < ERRORS; error_at++) {
        in_fresh_process(rseq_is_refused);
    }
}

/* ---- a kernel without the clock ---- */

static void everything_fails(void)
{
    struct tclk_times times = {1, 2, 3};
    machine.clock_error = EPERM;
    ok(tclk_thread_cpu_ns() == -EPERM && tclk_thread_user_ns() == -EPERM,
       "without the kernel's clock a reading is its error");
    ok(tclk_thread_read(&times) == -EPERM && times.cpu_ns == 1 && times.user_ns == 2, "and leaves the times untouched");
    ok(tclk_tid_cpu_ns(4711) == -EPERM && tclk_tid_user_ns(4711) == -EPERM, "so is one of another thread");
    tells_of_source(TCLK_SOURCE_CLOCK, "clock_gettime on the thread's CPU clock refused: EPERM");
    tells_of_source(TCLK_SOURCE_RSEQ, "clock_gettime on the thread's CPU clock refused: EPERM");
}

/* The clock fails after it has been proved. */
static void clock_fails_later(void)
{
    struct tclk_times times = {1, 2, 3};
    read_now();
    machine_sleep(1000000);
    machine.clock_error = EINVAL;
    ok(tclk_thread_read(&times) == -EINVAL && times.cpu_ns == 1,
       "a clock that fails after it was proved is an error, too");
    machine.clock_error = 0;
    ok(tclk_thread_read(&times) == 0 && times.cpu_ns == times.user_ns + times.system_ns,
       "and is read again once it does not");
}

/* ---- settings ---- */

static void settings_are_told(void)
{
    struct tclk_config config = {.split = TCLK_SPLIT_KERNEL, .window_ns = 2000000};
    tells_of_clock("source rseq, split smoothed, window 4000 us\n");
    tells_of_clock("rseq: sound here\n");
    tclk_clock_configure(&config);
    tells_of_clock("split kernel, window 2000 us\n");
    config.split = TCLK_SPLIT_TICKS;
    tclk_clock_configure(&config);
    tells_of_clock("split ticks, window 2000 us\n");
}

static void names_are_told(void)
{
    ok(strcmp(tclk_source_name((enum tclk_source)1000), "?") == 0, "no source is named ?");
}

int main(void)
{
    in_fresh_process(numbers_of_no_source);
    every_error_has_a_name();
    in_fresh_process(everything_fails);
    in_fresh_process(clock_fails_later);
    in_fresh_process(settings_are_told);
    names_are_told();
    return done();
}
