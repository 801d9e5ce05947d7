/* SPDX-License-Identifier: Apache-2.0 */

/* The agent's options. Its first byte chooses how much room there is for the option at fault. */

#include "jvm/options.h"

#include "law.h"

#include <string.h>

static void check_accepted(const struct tclk_agent_options *options)
{
    const struct tclk_config *config = &options->config;
    law(*tclk_source_name(config->source) != '?', "a source that is accepted has a name");
    law(config->window_ns == 0 || (config->window_ns >= 100000 && config->window_ns <= 100000000),
        "a window that is accepted is 100 us to 100 ms");
    law(config->sample_period_ns == 0 || (config->split == TCLK_SPLIT_SAMPLED && config->sample_period_ns >= 90000 &&
                                          config->sample_period_ns <= 10000000),
        "a period that is accepted is 90 us to 10 ms, and sampled's");
}

static void check_refused(const char *text, const char *wrong, size_t room)
{
    size_t length = strnlen(wrong, room);
    law(length < room, "the option at fault is terminated");
    law(strstr(text, wrong) != NULL, "the option at fault is part of the text");
    law(strchr(wrong, ',') == NULL, "the option at fault is one option");
}

static void parse(const char *text, size_t room)
{
    struct tclk_agent_options options;
    struct tclk_agent_options before;
    char *wrong = malloc(room);
    memset(&options, 0x5a, sizeof options);
    memcpy(&before, &options, sizeof options);
    if (tclk_options_parse(text, &options, wrong, room)) {
        check_accepted(&options);
    } else {
        law(memcmp(&options, &before, sizeof options) == 0, "a refusal leaves the options untouched");
        check_refused(text, wrong, room);
    }
    free(wrong);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    char *text = malloc(size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    parse(text, data[0] % 64 + (size_t)1);
    free(text);
    return 0;
}
