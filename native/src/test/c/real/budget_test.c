/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the server's budget, with times for which nobody waits. */

#include "real.h"
#include "serve/budget.h"
#include "serve/poller.h"

#define START INT64_C(1000000000)

static struct tclk_budget begun(void)
{
    struct tclk_budget budget;
    tclk_budget_begin(&budget, START);
    return budget;
}

int main(void)
{
    struct tclk_budget budget = begun();
    is_ns(budget.left_ns, TCLK_BUDGET_SAVED_NS, "a new budget has as much as can be saved");

    tclk_budget_earn(&budget, START + 1000 * MS);
    is_ns(budget.left_ns, TCLK_BUDGET_SAVED_NS, "no more than that is ever saved");

    budget = begun();
    tclk_budget_spend(&budget, TCLK_BUDGET_SAVED_NS);
    tclk_budget_earn(&budget, START + 160 * MS);
    is_ns(budget.left_ns, 1 * MS, "a 160th of the time that passes is earned");

    tclk_budget_earn(&budget, START + 160 * MS + 159);
    tclk_budget_earn(&budget, START + 160 * MS + 160);
    is_ns(budget.left_ns, 1 * MS + 1, "however often it is asked");

    is_ns(tclk_budget_affords_ns(&budget, 1 * MS), budget.at_ns, "what is left can be spent at once");
    is_ns(tclk_budget_affords_ns(&budget, 2 * MS + 1), budget.at_ns + 160 * MS, "what is not has to be earned");
    is_ns(tclk_budget_affords_ns(&budget, 100 * TCLK_BUDGET_SAVED_NS),
          budget.at_ns + 160 * (TCLK_BUDGET_SAVED_NS / 2 - 1 * MS - 1), "what can never be saved is not waited for");

    tclk_budget_spend(&budget, 3 * MS + 1);
    is_ns(tclk_budget_affords_ns(&budget, 0), budget.at_ns + 320 * MS, "and what was overspent is waited for");

    struct tclk_poller poller = {.fixed_ns = MS / 10, .reading_ns = MS / 20};
    is_ns(tclk_poller_period_ns(&poller), 24 * MS, "a poll is paid for after 160 times what it costs");
    poller.reading_ns = 50 * MS;
    is_ns(tclk_poller_period_ns(&poller), (int64_t)160 * 170000, "of many threads, as many are read as are paid for");
    return done();
}
