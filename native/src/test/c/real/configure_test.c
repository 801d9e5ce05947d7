/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the settings, and what is said about them. */

#include "real.h"

#define TEXT_BYTES 2048

static void explain(char *text)
{
    tclk_clock_explain(text, TEXT_BYTES);
}

/* ---- refusing ---- */

static void refuses(struct tclk_config config, const char *what)
{
    char before[TEXT_BYTES];
    char after[TEXT_BYTES];
    explain(before);
    is_ns(tclk_clock_configure(&config), -EINVAL, "%s is refused", what);
    explain(after);
    ok(strcmp(before, after) == 0, "… and everything stays as it was");
}

static void accepts(struct tclk_config config, const char *what)
{
    is_ns(tclk_clock_configure(&config), 0, "%s is accepted", what);
}

static void knows_its_ranges(void)
{
    refuses((struct tclk_config){.window_ns = -1}, "a negative window");
    refuses((struct tclk_config){.window_ns = 99999}, "a window below 100 us");
    refuses((struct tclk_config){.window_ns = 100000001}, "a window above 100 ms");
    refuses((struct tclk_config){.window_ns = INT64_MIN}, "a window of the least number");
    refuses((struct tclk_config){.sample_period_ns = 89999}, "a sampling period below 90 us");
    refuses((struct tclk_config){.split = TCLK_SPLIT_SAMPLED, .sample_period_ns = 10000001},
            "a sampling period above 10 ms");
    refuses((struct tclk_config){.sample_period_ns = -1}, "a negative sampling period");
    refuses((struct tclk_config){.source = (enum tclk_source)7}, "a source beyond the last");
    refuses((struct tclk_config){.source = (enum tclk_source) - 1}, "a source before the first");
    refuses((struct tclk_config){.split = (enum tclk_split)(TCLK_SPLIT_SAMPLED + 1)}, "a split beyond the last");
    refuses((struct tclk_config){.split = (enum tclk_split) - 1}, "a split before the first");
    accepts((struct tclk_config){.window_ns = 100000}, "a window of 100 us");
    accepts((struct tclk_config){.window_ns = 100000000}, "a window of 100 ms");
    accepts((struct tclk_config){.sample_period_ns = 90000}, "a sampling period of 90 us");
    accepts((struct tclk_config){.sample_period_ns = 10000000}, "a sampling period of 10 ms");
    accepts((struct tclk_config){0}, "a configuration of zeroes");
}

/* ---- explaining ---- */

static void names_what_is_set(const char *source)
{
    char expected[64];
    snprintf(expected, sizeof expected, "source %s, split smoothed, window 4000 us", source);
    ok(clock_says(expected), "%s: source, split and window are named", source);
    snprintf(expected, sizeof expected, "\n%s: sound here\n", source);
    ok(clock_says(expected), "%s: so is its proof", source);
}

static void names_splits_and_windows(void)
{
    struct tclk_config config = {.split = TCLK_SPLIT_TICKS, .window_ns = 100 * US};
    tclk_clock_configure(&config);
    ok(clock_says("split ticks, window 100 us"), "ticks and 100 us are named");
    config = (struct tclk_config){.window_ns = 100 * MS};
    tclk_clock_configure(&config);
    ok(clock_says("split smoothed, window 100000 us"), "smoothed and 100 ms are named");
    source_ask(TCLK_SOURCE_AUTO);
    ok(clock_says("split smoothed, window 4000 us"), "zeroes are the defaults");
    config = (struct tclk_config){.split = TCLK_SPLIT_SAMPLED, .sample_period_ns = 250 * US};
    tclk_clock_configure(&config);
    ok(clock_says("split sampled:250us, window 4000 us"), "sampled is named with its period");
}

static void says_what_was_not_tried(void)
{
    char reason[64];
    char text[TEXT_BYTES];
    tclk_source_explain(TCLK_SOURCE_PROC, reason, sizeof reason);
    explain(text);
    ok(strcmp(reason, "not tried") == 0, "a source that was not tried is reported as not tried");
    ok(strstr(text, "proc:") == NULL, "and does not appear among the reasons");
}

static void cuts_as_snprintf_does(void)
{
    char whole[TEXT_BYTES];
    char cut[16];
    size_t length = tclk_clock_explain(whole, sizeof whole);
    is_ns(length, strlen(whole), "the length is that of the text");
    is_ns(tclk_clock_explain(NULL, 0), length, "the length is returned without a buffer");
    memset(cut, 'x', sizeof cut);
    is_ns(tclk_clock_explain(cut, 8), length, "the length is returned when the text is cut");
    ok(strncmp(cut, whole, 7) == 0 && cut[7] == '\0' && cut[8] == 'x', "a cut text ends inside its buffer");
    is_ns(tclk_clock_explain(cut, 1), length, "the length is returned when nothing fits");
    ok(cut[0] == '\0' && cut[1] == whole[1], "then the text is empty");
}

static void names_its_parts(void)
{
    static const char *const names[] = {"auto", "rseq", "perf", "clock", "ticks", "proc", "ids"};
    int64_t wrong = 0;
    for (int s = TCLK_SOURCE_AUTO; s <= TCLK_SOURCE_IDS; s++) {
        wrong += strcmp(tclk_source_name((enum tclk_source)s), names[s]) != 0;
    }
    is_ns(wrong, 0, "sources have their names");
    ok(strcmp(tclk_source_name((enum tclk_source)7), "?") == 0 &&
           strcmp(tclk_source_name((enum tclk_source) - 1), "?") == 0,
       "what is none has a question mark");
    ok(strcmp(tclk_version(), TCLK_VERSION) == 0, "the version is the build's");
}

/* ---- a process that has not read ---- */

static void selects_at_first_question(void)
{
    enum tclk_source source = tclk_clock_source();
    ok(source != TCLK_SOURCE_AUTO && source != TCLK_SOURCE_TICKS && source != TCLK_SOURCE_PROC,
       "asked first of all, the source is one of the consistent ones: %s", tclk_source_name(source));
}

static void selects_at_first_reading(void)
{
    char reason[64];
    times_now();
    tclk_source_explain(tclk_clock_source(), reason, sizeof reason);
    ok(strcmp(reason, "sound here") == 0, "the first reading proves the source: %s", reason);
}

/* ---- programs that were built for another version ---- */

struct later_config {
    struct tclk_config known;
    int64_t later;
};

static void takes_what_an_earlier_program_knows(void)
{
    struct tclk_config config = {.window_ns = 2 * MS, .sample_period_ns = 1};
    size_t size = offsetof(struct tclk_config, sample_period_ns);
    is_ns(tclk_clock_configure_sized(&config, size), 0,
          "fields that an earlier program does not know are not looked at");
    is_ns(tclk_clock_configure_sized(&config, 0), 0, "and all of them have defaults");
}

static void refuses_what_a_later_program_sets(void)
{
    struct later_config config = {.known.window_ns = 2 * MS};
    is_ns(tclk_clock_configure_sized(&config.known, sizeof config), 0,
          "a later program that sets nothing new is served");
    config.later = 1;
    is_ns(tclk_clock_configure_sized(&config.known, sizeof config), -E2BIG,
          "what it sets that is not known here is refused");
    source_ask(TCLK_SOURCE_AUTO);
}

static void counts_for_other_programs(void)
{
    struct {
        struct tclk_stats known;
        uint64_t later;
    } stats;
    size_t size = offsetof(struct tclk_stats, lost);
    memset(&stats, 1, sizeof stats);
    uint64_t untouched = stats.later;
    tclk_clock_stats_sized(&stats.known, size);
    ok(stats.known.resyncs_first != untouched && stats.known.lost == untouched,
       "an earlier program gets the counts that it has room for");
    tclk_clock_stats_sized(&stats.known, sizeof stats);
    ok(stats.known.lost != untouched && stats.later == 0, "a later program gets 0 for those that are not known here");
}

/* ---- from several threads ---- */

#define ROUNDS 2000

static int64_t busy;
static int64_t others;

static void *configure_often(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct tclk_config config = {.window_ns = i % 2 == 0 ? MS : 2 * MS};
        int error = tclk_clock_configure(&config);
        __atomic_fetch_add(&busy, error == -EBUSY, __ATOMIC_RELAXED);
        __atomic_fetch_add(&others, error != 0 && error != -EBUSY, __ATOMIC_RELAXED);
    }
    return unused;
}

static void at_once(void)
{
    in_threads(2, configure_often, NULL, 0);
    is_ns(others, 0, "threads that configure at once succeed or are told to try again");
    is_ns(source_ask(TCLK_SOURCE_AUTO), 0, "and then one does");
    diag("busy in %" PRId64 " of %d", busy, 2 * ROUNDS);
}

int main(void)
{
    in_child(selects_at_first_question);
    in_child(selects_at_first_reading);
    says_what_was_not_tried();
    knows_its_ranges();
    with_each_source(names_what_is_set);
    in_child(names_splits_and_windows);
    cuts_as_snprintf_does();
    names_its_parts();
    takes_what_an_earlier_program_knows();
    refuses_what_a_later_program_sets();
    counts_for_other_programs();
    at_once();
    return done();
}
