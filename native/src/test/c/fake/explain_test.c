/* SPDX-License-Identifier: Apache-2.0 */

/* Tests what the clock says about itself, for any source that is refused, and for any reason. */

#include "machine.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <tap.h>

TEST(numbers_of_no_source)
{
    static const int none[] = {TCLK_SOURCE_IDS + 1, 40, 1000, -1, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char text[1024] = "";
        enum tclk_source source = (enum tclk_source)none[i];
        size_t length = tclk_source_explain(source, text, sizeof text);
        ok(strcmp(text, "no such source") == 0 && length == strlen(text), "%d is no source: %s", none[i], text);
        is_ns(tclk_clock_configure(&(struct tclk_config){.source = source}), -EINVAL, "…none to be configured");
        is_ns(tclk_clock_configure(&(struct tclk_config){.split = (enum tclk_split)none[i]}), -EINVAL, "…nor a split");
        ok(strcmp(tclk_source_name(source), "?") == 0, "…and has no name");
    }
    is_ns(tclk_clock_configure(&(struct tclk_config){.split = (enum tclk_split)(TCLK_SPLIT_SAMPLED + 1)}), -EINVAL,
          "the number after the last split is none");
    is_ns(tclk_source_explain(TCLK_SOURCE_RSEQ, NULL, 0), strlen("not tried"),
          "without a buffer the length alone is told");
}

static const struct error {
    int error;
    const char *name;
} errors[] = {
    {EPERM, "EPERM (1)"},    {ESRCH, "ESRCH (3)"},    {EACCES, "EACCES (13)"}, {EBUSY, "EBUSY (16)"},
    {EINVAL, "EINVAL (22)"}, {EMFILE, "EMFILE (24)"}, {ENFILE, "ENFILE (23)"}, {ENODEV, "ENODEV (19)"},
    {ENOENT, "ENOENT (2)"},  {ENOMEM, "ENOMEM (12)"}, {ENOSYS, "ENOSYS (38)"}, {EIO, "another error (5)"},
};
static const struct error *refusal;

static void rseq_is_refused(void)
{
    machine.rseq_error = refusal->error;
    tclk_clock_source();
    source_says(TCLK_SOURCE_RSEQ, refusal->name);
}

TEST(every_error_has_a_name)
{
    for (refusal = errors; refusal < errors + sizeof errors / sizeof errors[0]; refusal++) {
        in_fresh_process(rseq_is_refused);
    }
}

TEST(everything_fails_without_the_kernels_clock)
{
    struct tclk_times times = {1, 2, 3};
    machine.clock_error = EPERM;
    ok(tclk_thread_cpu_ns() == -EPERM && tclk_thread_user_ns() == -EPERM,
       "without the kernel's clock a reading is its error");
    ok(tclk_thread_read(&times) == -EPERM && times.cpu_ns == 1 && times.user_ns == 2, "and leaves the times untouched");
    ok(tclk_tid_cpu_ns(4711) == -EPERM && tclk_tid_user_ns(4711) == -EPERM, "so is one of another thread");
    source_says(TCLK_SOURCE_CLOCK, "clock_gettime on the thread's CPU clock refused: EPERM");
    source_says(TCLK_SOURCE_RSEQ, "clock_gettime on the thread's CPU clock refused: EPERM");
}

/* The clock fails after it has been proved. */
TEST(clock_fails_later)
{
    struct tclk_times times = {1, 2, 3};
    int64_t before_ns = read_now().cpu_ns;
    machine_sleep(MS);
    machine.clock_error = EINVAL;
    errno = 77;
    is_ns(tclk_thread_read(&times), -EINVAL, "a clock that fails after it was proved is an error, too");
    is_ns(errno, 77, "…errno is left as it was");
    ok(times.cpu_ns == 1 && times.user_ns == 2 && times.system_ns == 3, "…and the result too");
    machine.clock_error = 0;
    ok(read_now().cpu_ns >= before_ns, "and is read again once it does not");
}

TEST(settings_are_told)
{
    clock_says("source rseq, split smoothed, window 4000 us\n");
    clock_says("rseq: sound here\n");
    USE(.split = TCLK_SPLIT_TICKS, .window_ns = 2 * MS);
    clock_says("split ticks, window 2000 us\n");
}
