/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the agent's options, after -agentpath:…= */

#include "clock/source.h"
#include "jvm/options.h"
#include "real.h"

static struct tclk_agent_options parsed(const char *text)
{
    struct tclk_agent_options options = {.config = {.window_ns = -1}};
    char wrong[64] = "";
    if (!tclk_options_parse(text, &options, wrong, sizeof wrong)) {
        ok(false, "\"%s\" can be read", text);
        diag("at fault: \"%s\"", wrong);
    }
    return options;
}

static bool is_default(const struct tclk_agent_options *o)
{
    return o->config.source == TCLK_SOURCE_AUTO && o->config.split == TCLK_SPLIT_SMOOTHED && o->config.window_ns == 0 &&
           !o->stats;
}

static void nothing_is_the_defaults(void)
{
    struct tclk_agent_options none = parsed(NULL);
    struct tclk_agent_options empty = parsed("");
    ok(is_default(&none) && is_default(&empty), "no options and an empty text are the defaults");
}

static void sources_are_read(void)
{
    static const char *const texts[] = {"source=auto",  "source=rseq", "source=perf", "source=clock",
                                        "source=ticks", "source=proc", "source=ids"};
    int64_t wrong = 0;
    for (int s = TCLK_SOURCE_AUTO; s <= TCLK_SOURCE_IDS; s++) {
        wrong += parsed(texts[s]).config.source != (enum tclk_source)s;
    }
    is_ns(wrong, 0, "each source is read by its name");
}

static void splits_are_read(void)
{
    ok(parsed("split=smoothed").config.split == TCLK_SPLIT_SMOOTHED &&
           parsed("split=ticks").config.split == TCLK_SPLIT_TICKS &&
           parsed("split=sampled").config.split == TCLK_SPLIT_SAMPLED,
       "each split is read by its name");
}

static void periods_are_read(void)
{
    is_ns(parsed("split=sampled").config.sample_period_ns, 0, "sampled alone has the default period");
    is_ns(parsed("split=sampled:1ms").config.sample_period_ns, 1000000, "a period in ms");
    is_ns(parsed("split=sampled:500us").config.sample_period_ns, 500000, "a period in us");
    is_ns(parsed("split=sampled:123456ns").config.sample_period_ns, 123456, "a period in ns");
    is_ns(parsed("split=sampled:90us").config.sample_period_ns, 90000, "the shortest period");
    is_ns(parsed("split=sampled:10ms").config.sample_period_ns, 10000000, "the longest period");
    ok(parsed("split=sampled:1ms").config.split == TCLK_SPLIT_SAMPLED, "only the split sampled has periods");
    is_ns(parsed("split=sampled:1ms,split=sampled").config.sample_period_ns, 0,
          "of two splits the last one counts, with its period");
}

static void windows_are_read(void)
{
    is_ns(parsed("window=4ms").config.window_ns, 4000000, "a window in ms");
    is_ns(parsed("window=250us").config.window_ns, 250000, "a window in us");
    is_ns(parsed("window=1234567ns").config.window_ns, 1234567, "a window in ns");
    is_ns(parsed("window=100us").config.window_ns, 100000, "the shortest window");
    is_ns(parsed("window=100ms").config.window_ns, 100000000, "the longest window");
    is_ns(parsed("strict").config.window_ns, 1000000, "strict is a window of 1 ms");
}

static void several_are_read(void)
{
    struct tclk_agent_options o = parsed("source=perf,split=sampled,window=2ms,stats");
    ok(o.config.source == TCLK_SOURCE_PERF && o.config.split == TCLK_SPLIT_SAMPLED && o.config.window_ns == 2000000 &&
           o.stats,
       "options are separated by commas");
    ok(parsed("source=perf,source=clock").config.source == TCLK_SOURCE_CLOCK, "the last one of a kind counts");
    is_ns(parsed("window=2ms,strict").config.window_ns, 1000000, "strict is of the window's kind");
}

static void refuses(const char *text, const char *fault)
{
    struct tclk_agent_options options;
    struct tclk_agent_options before;
    char wrong[64] = "untouched";
    memset(&options, 0x5a, sizeof options);
    memcpy(&before, &options, sizeof options);
    bool read = tclk_options_parse(text, &options, wrong, sizeof wrong);
    ok(!read && strcmp(wrong, fault) == 0, "\"%s\" is refused because of \"%s\"", text, fault);
    ok(memcmp(&options, &before, sizeof options) == 0, "… and leaves the options alone");
    if (strcmp(wrong, fault) != 0) {
        diag("at fault: \"%s\"", wrong);
    }
}

static const char *const refused[] = {"sorce=rseq",
                                      "keep-descriptors",
                                      "source",
                                      "source=",
                                      "source=RSEQ",
                                      "source=rse",
                                      "source=rseqx",
                                      "split=none",
                                      "split=kernel",
                                      "split=sampled:",
                                      "split=sampled:89us",
                                      "split=sampled:10001us",
                                      "split=sampled:1",
                                      "split=sampled:1ms:1ms",
                                      "split=smoothed:1ms",
                                      "split=:1ms",
                                      "stats=yes",
                                      "strict=1",
                                      " stats",
                                      "window=",
                                      "window=4",
                                      "window=ms",
                                      "window=-4ms",
                                      "window=4 ms",
                                      "window=4s",
                                      "window=99us",
                                      "window=101ms"};

static void what_is_unknown_or_out_of_range_is_refused(void)
{
    for (size_t i = 0; i < COUNT(refused); i++) {
        refuses(refused[i], refused[i]);
    }
    refuses("split=sampled:99999999999999999999ms", "split=sampled:99999999999999999999ms");
    refuses("window=99999999999999999999ms", "window=99999999999999999999ms");
    refuses("window=9223372036854775807ns", "window=9223372036854775807ns");
    refuses("stats,foo,strict", "foo");
}

static void virtual_threads_are_measured_if_asked_for(void)
{
    ok(parsed("stats,virtual").measures_virtual && !parsed("stats").measures_virtual,
       "virtual is off unless it is given");
}

static void faults_are_cut(void)
{
    struct tclk_agent_options options;
    char wrong[8] = "xxxxxxx";
    bool read = tclk_options_parse("a-very-long-option-indeed", &options, wrong, sizeof wrong);
    ok(!read && strcmp(wrong, "a-very-") == 0, "a long fault is cut to the buffer");
}

static void all_that_are_known_are_told(void)
{
    char known[256];
    struct tclk_text text = {known, sizeof known, 0};
    tclk_options_add_known(&text);
    ok(strcmp(known, "source=auto|rseq|perf|clock|ticks|proc|ids, "
                     "split=smoothed|ticks|sampled|sampled:90us..10ms, "
                     "window=100us..100ms, strict, stats, virtual") == 0,
       "a user who has mistyped an option is told all of them");
    diag("%s", known);
}

int main(void)
{
    nothing_is_the_defaults();
    sources_are_read();
    splits_are_read();
    periods_are_read();
    windows_are_read();
    several_are_read();
    what_is_unknown_or_out_of_range_is_refused();
    virtual_threads_are_measured_if_asked_for();
    faults_are_cut();
    all_that_are_known_are_told();
    return done();
}
