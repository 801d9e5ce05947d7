/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/budget.h"

void tclk_budget_begin(struct tclk_budget *budget, int64_t now_ns)
{
    *budget = (struct tclk_budget){.left_ns = TCLK_BUDGET_SAVED_NS, .at_ns = now_ns};
}

void tclk_budget_earn(struct tclk_budget *budget, int64_t now_ns)
{
    int64_t earned_ns = (now_ns - budget->at_ns) / TCLK_BUDGET_PART;
    budget->left_ns += earned_ns;
    budget->at_ns += earned_ns * TCLK_BUDGET_PART;
    if (budget->left_ns > TCLK_BUDGET_SAVED_NS) {
        budget->left_ns = TCLK_BUDGET_SAVED_NS;
    }
}

int64_t tclk_budget_affords_ns(const struct tclk_budget *budget, int64_t cpu_ns)
{
    int64_t wanted_ns = cpu_ns < TCLK_BUDGET_SAVED_NS / 2 ? cpu_ns : TCLK_BUDGET_SAVED_NS / 2;
    int64_t lacks_ns = wanted_ns - budget->left_ns;
    return lacks_ns <= 0 ? budget->at_ns : budget->at_ns + lacks_ns * TCLK_BUDGET_PART;
}
