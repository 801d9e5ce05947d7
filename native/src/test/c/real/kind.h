/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_KIND_H
#define TCLK_TEST_KIND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <tap.h>

/*
 * Every test runs plain and under two sanitizers (test.mk), some under ThreadSanitizer as well. Laws hold in all of
 * them. Tests of speed, and those that need much time to be exact, run only in the plain build.
 */
#if defined(TCLK_SANITIZED)
#define KIND_IS_PLAIN false
#define KIND_PLAIN_ONLY "a sanitizer's build: its speed says nothing"
#else
#define KIND_IS_PLAIN true
#define KIND_PLAIN_ONLY ""
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KIND_IS_ASAN true
#endif
#if __has_feature(thread_sanitizer)
#define KIND_IS_TSAN true
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define KIND_IS_ASAN true
#elif defined(__SANITIZE_THREAD__)
#define KIND_IS_TSAN true
#endif
#if !defined(KIND_IS_ASAN)
#define KIND_IS_ASAN false
#endif
#if !defined(KIND_IS_TSAN)
#define KIND_IS_TSAN false
#endif

/* How often or how long to try what the plain build tries n times or for n ns. */
static inline int64_t kind_amount(int64_t n)
{
    return KIND_IS_PLAIN ? n : n / 4;
}

/* How often or how long to try what the plain build has tried n times or for n ns elsewhere. The caller of the tests
 * sets TCLK_BRIEF. The laws are the same with another libc, on an emulated CPU, which is tens of times slower, and
 * where somebody waits for the result. */
static inline int64_t kind_rounds(int64_t n)
{
    return getenv("TCLK_BRIEF") != NULL ? n / 8 : kind_amount(n);
}

/* The gate (make GATE=yes test) sets TCLK_GATE. It judges order, sums and equality alone. */
static inline bool kind_is_gate(void)
{
    return getenv("TCLK_GATE") != NULL;
}

/* False in the gate, after a SKIP: what is judged by time, by its shares, by the scheduler, or by counts that others
 * move, is judged in a wide run. */
static inline bool kind_judges_timing(const char *sentence)
{
    if (kind_is_gate()) {
        skip(sentence, "a wide run (it judges by time)");
        return false;
    }
    return true;
}

#define KIND_EMULATED "a CPU of this architecture (an emulator's own work is CPU time, too)"

/* The caller of the tests sets this, because an emulated program has no other way to know. */
static inline bool kind_is_emulated(void)
{
    return getenv("TCLK_EMULATED") != NULL;
}

#define KIND_LATE_TIMERS "timers on time (those of an emulated machine are late, and samples are lost)"

/* The program that starts the emulated machine sets this. Work of its host counts as CPU time there. */
static inline bool kind_has_late_timers(void)
{
    return kind_is_emulated() || getenv("TCLK_LATE_TIMERS") != NULL;
}

#endif
