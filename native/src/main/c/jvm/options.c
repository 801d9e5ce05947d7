/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/options.h"

#include "clock/settings.h"

#include <string.h>

#define STRICT_WINDOW_NS INT64_C(1000000)

/* A piece of the text: an option, or the part on one side of its '='. */
struct word {
    const char *start;
    size_t length;
};

static bool is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.start, text, word.length) == 0;
}

static struct word until(const char *start, size_t length, char end)
{
    const char *found = memchr(start, end, length);
    return (struct word){start, found == NULL ? length : (size_t)(found - start)};
}

static struct word behind(struct word whole, struct word first)
{
    size_t skipped = first.length < whole.length ? first.length + 1 : whole.length;
    return (struct word){whole.start + skipped, whole.length - skipped};
}

static bool parse_source(struct word name, enum tclk_source *source)
{
    for (enum tclk_source s = TCLK_SOURCE_AUTO; s <= TCLK_SOURCE_LAST; s++) {
        if (is(name, tclk_source_name(s))) {
            *source = s;
            return true;
        }
    }
    return false;
}

static bool find_split(struct word name, enum tclk_split *split)
{
    for (enum tclk_split s = TCLK_SPLIT_SMOOTHED; s <= TCLK_SPLIT_LAST; s++) {
        if (is(name, tclk_split_name(s))) {
            *split = s;
            return true;
        }
    }
    return false;
}

static bool parse_unit(struct word name, int64_t *ns)
{
    *ns = is(name, "ns") ? 1 : is(name, "us") ? 1000 : is(name, "ms") ? 1000000 : 0;
    return *ns != 0;
}

static bool parse_span(struct word text, int64_t least_ns, int64_t most_ns, int64_t *ns)
{
    int64_t number = 0;
    int64_t unit_ns;
    size_t i = 0;
    for (; i < text.length && text.start[i] >= '0' && text.start[i] <= '9'; i++) {
        number = number * 10 + (text.start[i] - '0');
        if (number > most_ns) {
            return false;
        }
    }
    struct word unit = {text.start + i, text.length - i};
    if (!parse_unit(unit, &unit_ns) || number * unit_ns < least_ns || number * unit_ns > most_ns) {
        return false;
    }
    *ns = number * unit_ns;
    return true;
}

/* Parses "smoothed", "sampled" or "sampled:1ms". The last one counts, with its period or without. */
static bool parse_split(struct word text, struct tclk_config *config)
{
    struct word name = until(text.start, text.length, ':');
    if (!find_split(name, &config->split)) {
        return false;
    }
    config->sample_period_ns = 0;
    return name.length == text.length ||
           (config->split == TCLK_SPLIT_SAMPLED && parse_span(behind(text, name), TCLK_SAMPLE_PERIOD_MIN_NS,
                                                              TCLK_SAMPLE_PERIOD_MAX_NS, &config->sample_period_ns));
}

static bool parse_option(struct word option, struct tclk_agent_options *options)
{
    struct word key = until(option.start, option.length, '=');
    struct word setting = behind(option, key);
    if (key.length < option.length) {
        return (is(key, "source") && parse_source(setting, &options->config.source)) ||
               (is(key, "split") && parse_split(setting, &options->config)) ||
               (is(key, "window") &&
                parse_span(setting, TCLK_WINDOW_MIN_NS, TCLK_WINDOW_MAX_NS, &options->config.window_ns));
    }
    if (is(option, "strict")) {
        options->config.window_ns = STRICT_WINDOW_NS;
        return true;
    }
    options->stats |= is(option, "stats");
    options->measures_virtual |= is(option, "virtual");
    return is(option, "stats") || is(option, "virtual");
}

static void copy_word(struct word word, char *to, size_t size)
{
    size_t length = word.length < size ? word.length : size - 1;
    memcpy(to, word.start, length);
    to[length] = '\0';
}

bool tclk_options_parse(const char *text, struct tclk_agent_options *options, char *wrong, size_t size)
{
    struct tclk_agent_options found = {0};
    struct word rest = {text == NULL ? "" : text, text == NULL ? 0 : strlen(text)};
    while (rest.length > 0) {
        struct word option = until(rest.start, rest.length, ',');
        if (!parse_option(option, &found)) {
            copy_word(option, wrong, size);
            return false;
        }
        rest = behind(rest, option);
    }
    *options = found;
    return true;
}

/* ---- what is known ---- */

static void add_span(struct tclk_text *text, int64_t least_ns, int64_t most_ns)
{
    tclk_text_add(text, "%lldus..%lldms", (long long)least_ns / 1000, (long long)most_ns / 1000000);
}

void tclk_options_add_known(struct tclk_text *text)
{
    for (enum tclk_source s = TCLK_SOURCE_AUTO; s <= TCLK_SOURCE_LAST; s++) {
        tclk_text_add(text, "%s%s", s == TCLK_SOURCE_AUTO ? "source=" : "|", tclk_source_name(s));
    }
    for (enum tclk_split s = TCLK_SPLIT_SMOOTHED; s <= TCLK_SPLIT_LAST; s++) {
        tclk_text_add(text, "%s%s", s == TCLK_SPLIT_SMOOTHED ? ", split=" : "|", tclk_split_name(s));
    }
    tclk_text_add(text, "|%s:", tclk_split_name(TCLK_SPLIT_SAMPLED));
    add_span(text, TCLK_SAMPLE_PERIOD_MIN_NS, TCLK_SAMPLE_PERIOD_MAX_NS);
    tclk_text_add(text, ", window=");
    add_span(text, TCLK_WINDOW_MIN_NS, TCLK_WINDOW_MAX_NS);
    tclk_text_add(text, ", strict, stats, virtual");
}
