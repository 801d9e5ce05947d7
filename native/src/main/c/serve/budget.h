/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_BUDGET_H
#define TCLK_SERVE_BUDGET_H

#include <stdint.h>

/*
 * The budget of the server: one part in TCLK_BUDGET_PART of a core (0.6 %), however many threads there are and however
 * often clients ask. Unused CPU time is saved, up to TCLK_BUDGET_SAVED_NS; after overspending the server waits.
 */
#define TCLK_BUDGET_PART 160
#define TCLK_BUDGET_SAVED_NS INT64_C(10000000)

struct tclk_budget {
    int64_t left_ns; /* CPU time; negative: overspent */
    int64_t at_ns;   /* wall time of that balance */
};

void tclk_budget_begin(struct tclk_budget *budget, int64_t now_ns);

/* Adds what the budget has earned by this wall time. */
void tclk_budget_earn(struct tclk_budget *budget, int64_t now_ns);

static inline void tclk_budget_spend(struct tclk_budget *budget, int64_t cpu_ns)
{
    budget->left_ns -= cpu_ns;
}

/* The wall time at which this much CPU time can be spent; never more than half of what can be saved. */
int64_t tclk_budget_affords_ns(const struct tclk_budget *budget, int64_t cpu_ns);

#endif
