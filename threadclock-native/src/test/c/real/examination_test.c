/* SPDX-License-Identifier: Apache-2.0 */

/* Tests what `doctor` is told: a line for each fact, and an unchanged clock. */

#include "clock/proof.h"
#include "clock/source.h"
#include "doctor/examination.h"
#include "kind.h"

#include <stdlib.h>
#include <string.h>
#include <tap.h>
#include <time.h>

static char text[TCLK_EXAMINATION_MAX_BYTES];

/* Returns the field with this number, counted from 0, of the line that begins with this word; NULL: there is none. */
static const char *field(const char *line, int number)
{
    static char found[256];
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\n%s\t", line);
    const char *at = strstr(text, wanted);
    at = at == NULL ? NULL : at + strlen(wanted);
    for (; at != NULL && number > 0; number--) {
        size_t length = strcspn(at, "\t\n");
        at = at[length] == '\t' ? at + length + 1 : NULL;
    }
    if (at == NULL) {
        return NULL;
    }
    snprintf(found, sizeof found, "%.*s", (int)strcspn(at, "\t\n"), at);
    return found;
}

static long long number(const char *line, int at)
{
    const char *digits = field(line, at);
    return digits == NULL ? -1 : strtoll(digits, NULL, 10);
}

static void tells_the_tick(void)
{
    struct timespec tick;
    clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
    long long measured_ns = number("tick", 1);
    is_ns(number("tick", 0), tick.tv_nsec, "tells the tick");
    if (kind_judges_timing("the measured tick is not shorter")) {
        ok(measured_ns > tick.tv_nsec / 100 * 99, "the measured tick is not shorter: %lld ns", measured_ns);
    }
}

static void tells_every_source(void)
{
    for (enum tclk_source source = TCLK_SOURCE_RSEQ; source <= TCLK_SOURCE_LAST; source++) {
        char line[32];
        snprintf(line, sizeof line, "source\t%s", tclk_source_name(source));
        bool sound = tclk_proof_verdict(source).refusal == TCLK_ACCEPTED;
        const char *reason = field(line, 0);
        ok(reason != NULL && (strcmp(reason, "sound") == 0) == sound && strcmp(reason, "not-tried") != 0,
           "tells whether %s is sound", tclk_source_name(source));
        ok((number(line, 1) > 0) == sound, "times %s if it is", tclk_source_name(source));
    }
}

static void tells_the_order_of_costs(void)
{
    ok(number("call", 0) > 0, "a system call costs something");
    ok(number("source\tproc", 1) == 0 || number("source\tproc", 1) > number("source\tticks", 1),
       "opening files costs more than a system call");
}

/* Compared with what the clock says to a program that has asked. */
static void tells_of_waits(void)
{
    char words[2048];
    struct tclk_waits waits;
    int error = tclk_thread_waits(&waits);
    tclk_clock_explain(words, sizeof words);
    const char *said = strstr(words, "\nwaits: ");
    const char *reason = field("waits", 0);
    ok(reason != NULL && (strcmp(reason, "sound") != 0 || error == 0) &&
           (error == 0 || strcmp(reason, "no-proc") == 0 || strcmp(reason, "no-sched-info") == 0),
       "tells whether run-queue delay is known");
    reason = field("waits", 1);
    ok(said != NULL && reason != NULL && strncmp(said + 8, reason, strlen(reason)) == 0, "… in the clock's words");
}

static void leaves_the_clock(enum tclk_source source)
{
    const char *chosen = field("chosen", 0);
    ok(tclk_clock_source() == source, "the source is what it was");
    ok(chosen != NULL && strcmp(chosen, tclk_source_name(source)) == 0, "the examination names the source in use");
    ok(tclk_settings.split == TCLK_SPLIT_SMOOTHED && !tclk_settings.by_name, "split and choice are the defaults");
}

int main(void)
{
    enum tclk_source source = tclk_clock_source();
    size_t length = tclk_examine(text, sizeof text);
    ok(length < sizeof text, "all of it fits: %zu bytes", length);
    ok(strncmp(text, "version\t", 8) == 0, "begins with the version");
    tells_the_tick();
    tells_every_source();
    if (kind_judges_timing("opening files costs more than a system call")) {
        tells_the_order_of_costs();
    }
    ok(field("counter", 3) != NULL, "says of the counter what it is");
    ok(field("sampled", 1) != NULL, "says of samples whether there are any");
    tells_of_waits();
    ok(strstr(text, "\t(null)") == NULL, "has a word for every reason");
    leaves_the_clock(source);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        diag("%s", line);
    }
    return done();
}
