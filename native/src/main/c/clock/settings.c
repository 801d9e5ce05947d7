/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/settings.h"

struct tclk_settings tclk_settings = {
    .source = TCLK_SOURCE_AUTO,
    .split = TCLK_SPLIT_SMOOTHED,
    .sample_period_ns = TCLK_SAMPLE_PERIOD_MIN_NS,
    .window_ns = TCLK_WINDOW_DEFAULT_NS,
    .tick_ns = TCLK_WINDOW_DEFAULT_NS,
};

const char *tclk_source_name(enum tclk_source source)
{
    static const char *const names[] = {
        [TCLK_SOURCE_AUTO] = "auto",   [TCLK_SOURCE_RSEQ] = "rseq",   [TCLK_SOURCE_PERF] = "perf",
        [TCLK_SOURCE_CLOCK] = "clock", [TCLK_SOURCE_TICKS] = "ticks", [TCLK_SOURCE_PROC] = "proc",
        [TCLK_SOURCE_IDS] = "ids",
    };
    return (unsigned)source <= TCLK_SOURCE_LAST ? names[source] : "?";
}

const char *tclk_split_name(enum tclk_split split)
{
    static const char *const names[] = {
        [TCLK_SPLIT_SMOOTHED] = "smoothed",
        [TCLK_SPLIT_TICKS] = "ticks",
        [TCLK_SPLIT_SAMPLED] = "sampled",
    };
    return names[split];
}
