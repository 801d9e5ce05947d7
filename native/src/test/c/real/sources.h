/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_SOURCES_H
#define TCLK_TEST_SOURCES_H

/* The sources whose readings are consistent, one after the other, as far as this machine has them. */

#include "include/threadclock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <tap.h>

static const enum tclk_source consistent_sources[] = {TCLK_SOURCE_RSEQ, TCLK_SOURCE_PERF, TCLK_SOURCE_IDS,
                                                      TCLK_SOURCE_CLOCK};

#define CONSISTENT_SOURCES (COUNT(consistent_sources))

/* Reports a skipped test if a source is refused. */
static inline bool source_is_here(struct tclk_config config)
{
    char sentence[64];
    char reason[256];
    int error = tclk_clock_configure(&config);
    if (error == 0) {
        return true;
    }
    snprintf(sentence, sizeof sentence, "%s is tried", tclk_source_name(config.source));
    tclk_source_explain(config.source, reason, sizeof reason);
    if (error == -ENOTSUP) {
        skip(sentence, reason);
    } else {
        ok(false, "%s: tclk_clock_configure() answers %d", sentence, error);
    }
    return false;
}

/* Of every source. A process that samples goes on to its end. */
static enum tclk_split sources_split = TCLK_SPLIT_SMOOTHED;
static int64_t sources_window_ns; /* 0: the default */

static inline struct tclk_config source_config(enum tclk_source source)
{
    return (struct tclk_config){.source = source, .split = sources_split, .window_ns = sources_window_ns};
}

/* What the clock answers if it is asked for that alone. */
static inline int source_ask(enum tclk_source source)
{
    return tclk_clock_configure(&(struct tclk_config){.source = source});
}

static inline int split_ask(enum tclk_split split)
{
    return tclk_clock_configure(&(struct tclk_config){.split = split});
}

static inline bool source_use(enum tclk_source source)
{
    return source_is_here(source_config(source));
}

static inline void with_each_source_but(enum tclk_source other, void (*test)(const char *source))
{
    for (size_t i = 0; i < CONSISTENT_SOURCES; i++) {
        if (consistent_sources[i] != other && source_use(consistent_sources[i])) {
            test(tclk_source_name(consistent_sources[i]));
        }
    }
}

static inline void with_each_source(void (*test)(const char *source))
{
    with_each_source_but(TCLK_SOURCE_AUTO, test);
}

/* ---- what is said ---- */

static inline bool text_says(const char *text, const char *words)
{
    bool found = strstr(text, words) != NULL;
    if (!found) {
        diag("no \"%s\" in: %s", words, text);
    }
    return found;
}

static inline bool clock_says(const char *words)
{
    char text[2048];
    tclk_clock_explain(text, sizeof text);
    return text_says(text, words);
}

static inline bool source_says(enum tclk_source source, const char *words)
{
    char text[2048];
    tclk_source_explain(source, text, sizeof text);
    return text_says(text, words);
}

static inline void source_is_refused(enum tclk_source source, const char *reason, const char *sentence)
{
    char text[2048];
    is_ns(source_ask(source), -ENOTSUP, "%s", sentence);
    tclk_source_explain(source, text, sizeof text);
    ok(text_says(text, reason), "and says so: %s", text);
}

static inline struct tclk_times times_now(void)
{
    struct tclk_times times = {-1, -1, -1};
    if (tclk_thread_read(&times) != 0) {
        ok(false, "a reading succeeds");
    }
    return times;
}

static inline void read_times_once(void)
{
    times_now();
}

#endif
