/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_TAP_H
#define TCLK_TEST_TAP_H

/*
 * The Test Anything Protocol, version 13, as prove(1) reads it. A test is a sentence that is true of
 * the code:
 *     ok(sum == 5, "adds two numbers");
 *     is_ns(cpu_ns, 1000, "returns the kernel's time at the anchor");
 * main() ends with `return done();`.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) int tap_number;
__attribute__((weak)) int tap_failed;

__attribute__((format(printf, 1, 2), unused)) static void diag(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("# ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ok(condition, ...) tap_ok((condition), #condition, __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 5, 6), unused)) static bool tap_ok(bool condition, const char *text, const char *file,
                                                                 int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s %d - ", condition ? "ok" : "not ok", ++tap_number);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    if (!condition) {
        tap_failed++;
        diag("%s:%d: %s", file, line, text);
    }
    fflush(stdout);
    return condition;
}

#define is_ns(got, expected, ...) tap_is((int64_t)(got), (int64_t)(expected), #got, __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 6, 7), unused)) static bool tap_is(int64_t got, int64_t expected, const char *text,
                                                                 const char *file, int line, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!tap_ok(got == expected, text, file, line, "%s", sentence)) {
        diag("got %" PRId64 ", expected %" PRId64, got, expected);
        return false;
    }
    return true;
}

/* Reports a test that is impossible here, and the feature that is missing. */
__attribute__((unused)) static void skip(const char *sentence, const char *missing)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_number, sentence, missing);
}

/* True, after a SKIP, if a test is impossible here. */
__attribute__((unused)) static bool skips(bool is_impossible, const char *sentence, const char *missing)
{
    if (is_impossible) {
        skip(sentence, missing);
    }
    return is_impossible;
}

__attribute__((unused)) static int done(void)
{
    printf("1..%d\n", tap_number);
    return tap_failed == 0 ? 0 : 1;
}

#endif
