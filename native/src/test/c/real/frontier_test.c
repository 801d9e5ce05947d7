/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the exchange of two words at once, and that it leaves no flags that a program cannot have. */

#include "clock/words.h"

#include <tap.h>

static struct tclk_frontier at;

static void exchanges_both_words_or_none(void)
{
    struct tclk_frontier first = {1, 2};
    struct tclk_frontier second = {3, 4};
    at = first;
    ok(tclk_frontier_exchange(&at, first, second), "a frontier that has not changed is exchanged");
    ok(tclk_frontier_equals(at, second), "…both words of it");
    ok(!tclk_frontier_exchange(&at, (struct tclk_frontier){3, 2}, first) &&
           !tclk_frontier_exchange(&at, (struct tclk_frontier){1, 4}, first),
       "where one word is another one nothing is");
    ok(tclk_frontier_equals(at, second), "…neither word of it");
}

#if defined(__x86_64__)

#define ROUNDS 1000
#define FLAGS_OF_A_PROGRAM UINT64_C(0xad7) /* CF PF AF ZF SF IF OF, and bit 1, which is always set */

/* An emulator that does not track the flags computes them from an operand of the last computation. */
static inline uint64_t flags_after_an_exchange(uint64_t operand)
{
    uint64_t flags;
    uint64_t scratch = 0;
    struct tclk_frontier from = at;
    struct tclk_frontier to = {from.moment + 1, from.user + 1};
    __asm__ volatile("clc\n\tjmp 1f\n1:\tsubq %1, %0" : "+r"(scratch) : "r"(operand) : "cc");
    tclk_frontier_exchange(&at, from, to);
    /* Uses the stack below the compiler's own data. */
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\tpushfq\n\tpopq %0\n\tleaq 128(%%rsp), %%rsp"
                     : "=r"(flags)
                     :
                     : "memory");
    return flags;
}

/* Compares all bits except those that would end this program if they were restored. */
static void leaves_flags_alone(void)
{
    uint64_t seen = 0;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        seen |= flags_after_an_exchange(i * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(0x67700));
    }
    is_ns((int64_t)(seen & ~FLAGS_OF_A_PROGRAM), 0, "the exchange sets no flag of the system's");
}

#else

static void leaves_flags_alone(void)
{
    skip("the exchange sets no flag of the system's", "flags of x86");
}

#endif

int main(void)
{
    exchanges_both_words_or_none();
    leaves_flags_alone();
    return done();
}
