/* SPDX-License-Identifier: Apache-2.0 */

/* Tests records that return to the pool and are taken for other threads, while somebody still reads them. */

#include "machine.h"

#include "clock/curve.h"
#include "clock/observe.h"
#include "clock/record.h"
#include "kernel/tid.h"

#include <tap.h>

#define ANOTHER (OTHER - 1)
#define LIVES (2 * (TCLK_MOMENT_NUMBER_MASK + 1))

/* Otherwise an observer that comes in the middle of the first resync would take the missing line for the first one. */
TEST(empty_line_is_not_the_first)
{
    int same = 0;
    for (uint64_t life = 0; life < LIVES; life++) {
        struct tclk_record *record = tclk_record_take(OTHER, TCLK_HOLD_OWNER);
        struct tclk_frontier first = tclk_frontier_turn(record->frontier, (struct tclk_point){0, 0}, false);
        same += tclk_frontier_number(first) == tclk_moment_number(record->anchor.moment);
        tclk_record_give(record);
    }
    is_ns(same, 0, "a record without a line never has the number of its first line");
}

TEST(record_is_known_by_its_thread)
{
    struct tclk_record *record = tclk_record_take(OTHER, TCLK_HOLD_OBSERVERS);
    tclk_record_give(record);
    struct tclk_record *again = tclk_record_take(ANOTHER, TCLK_HOLD_OBSERVERS);
    ok(again == record, "the pool gives the same record for another thread");
    is_ns(tclk_record_hold_of(record, OTHER), TCLK_HOLD_NOBODY, "the former thread has none");
    ok(!tclk_record_hand_over(record, OTHER, TCLK_HOLD_OBSERVERS, TCLK_HOLD_OWNER),
       "who knew it as the former's does not get it");
    tclk_observed_drop(record, TCLK_HOLD_OBSERVERS, OTHER);
    is_ns(tclk_record_hold_of(record, ANOTHER), TCLK_HOLD_OBSERVERS, "nor takes it away");
    tclk_record_give(record);
}

static void sweep_all(void)
{
    for (uint32_t i = 0; i < tclk_record_used(); i++) {
        tclk_observed_sweep();
    }
}

/* The tid has no thread any more, because the thread has ended right after somebody began to make its record. */
TEST(sweep_spares_what_is_being_made)
{
    struct tclk_record *record = tclk_record_take(OTHER, TCLK_HOLD_OBSERVERS);
    sweep_all();
    is_ns(tclk_record_hold_of(record, OTHER), TCLK_HOLD_OBSERVERS,
          "a record that is not in the directory yet is not swept");
    tclk_record_enter(record);
    sweep_all();
    is_ns(tclk_record_hold_of(record, OTHER), TCLK_HOLD_NOBODY,
          "the sweep takes the complete record of an ended thread");
    ok(tclk_record_find(OTHER) == NULL, "the record is no longer in the directory");
}

/* The first thread used 5 ms of CPU time and ended; the thread that has its tid now has used less, and later more. */
TEST(record_of_the_ended_is_not_taken_over)
{
    struct tclk_point of_ended;
    struct tclk_aim aim = {.share = 0};
    struct tclk_record *record = tclk_record_take(tclk_tid_own(), TCLK_HOLD_ENDED);
    tclk_record_enter(record);
    tclk_curve_advance(record, tclk_tid_own(), 5000000, &aim, &of_ended);
    struct tclk_point first = run_and_read(6000000, USER_MODE);
    ok(first.cpu_ns - first.user_ns < 1000, "a thread does not go on with the curve of one that had its tid");
    is_ns(tclk_record_hold_of(tclk_record_find(tclk_tid_own()), tclk_tid_own()), TCLK_HOLD_OWNER,
          "but has a record of its own");
}
