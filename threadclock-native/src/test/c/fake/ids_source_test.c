/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the source ids: on which machine it is chosen, why it is refused elsewhere, and that no id is changed where
 * the kernel would kill for it. */

#include "machine.h"
#include "verdicts.h"

#include "kernel/rseq_area.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <tap.h>

/* A machine on which only ids can detect. */
static void become_new_kernel_without_perf(void)
{
    machine.kernel_major = 7;
    machine.kernel_minor = 1;
    machine.libc_has_no_rseq = true;
    machine.perf_error = EPERM;
}

static void chosen_without_perf(void)
{
    become_new_kernel_without_perf();
    chooses(TCLK_SOURCE_IDS, "on Linux 7.1 without perf");
    says(TCLK_SOURCE_IDS, "sound here");
}

static void perf_goes_before_ids(void)
{
    become_new_kernel_without_perf();
    machine.perf_error = 0;
    chooses(TCLK_SOURCE_PERF, "on Linux 7.1 with perf");
    says(TCLK_SOURCE_IDS, "not tried");
}

static void refuses_ids(const char *where, const char *reason)
{
    char on_what[100];
    snprintf(on_what, sizeof on_what, "on Linux 7.1 without perf, %s", where);
    chooses(TCLK_SOURCE_CLOCK, on_what);
    says(TCLK_SOURCE_IDS, reason);
    is_ns(machine.killed, 0, "…and no id is changed that may not be");
}

static void ids_of_libcs_area(void)
{
    become_new_kernel_without_perf();
    machine.libc_has_no_rseq = false;
    refuses_ids("with libc's area", "GLIBC_TUNABLES=glibc.pthread.rseq=0");
}

static void ids_of_a_foreign_area(void)
{
    become_new_kernel_without_perf();
    machine.rseq_error = EINVAL;
    refuses_ids("with someone else's area", "rseq refused: EINVAL");
}

static void ids_under_debugging(void)
{
    become_new_kernel_without_perf();
    machine.debugs_rseq = true;
    refuses_ids("with rseq debugging", "rseq debugging is on");
}

/* Nothing is known then, not even about debugging. */
static void ids_without_sleeps(void)
{
    become_new_kernel_without_perf();
    machine.debugs_rseq = true;
    machine.switches_from_ns = INT64_MAX;
    refuses_ids("where no sleep switches", "only 0 of 16 sleeps");
}

static void ids_that_are_kept(void)
{
    become_new_kernel_without_perf();
    machine.keeps_ids = true;
    refuses_ids("where ids are written when they change", "16 of 16 sleeps went unnoticed");
}

static void ids_that_change(void)
{
    become_new_kernel_without_perf();
    machine.keeps_ids = true;
    machine.has_no_children = true;
    machine.stays_in_one_of = INT_MAX;
    refuses_ids("where they change all the time", "only 0 of 16 sleeps");
}

static void ids_that_change_often(void)
{
    become_new_kernel_without_perf();
    machine.keeps_ids = true;
    machine.stays_in_one_of = 3;
    refuses_ids("where they change often", "8 of 8 sleeps went unnoticed");
}

static void chosen_where_threads_move(void)
{
    become_new_kernel_without_perf();
    machine.stays_in_one_of = 3;
    chooses(TCLK_SOURCE_IDS, "where two of three sleeps end on another CPU");
}

/* A PREEMPT_RT kernel on an idle machine moves a thread that wakes to the CPU that has nothing to do. */
static void chosen_where_no_sleeper_stays(void)
{
    become_new_kernel_without_perf();
    machine.stays_in_one_of = INT_MAX;
    chooses(TCLK_SOURCE_IDS, "where all sleeps end on another CPU");
}

/* A sleep that the ids miss must be noticed there, too. */
static void ids_that_sleeps_change(void)
{
    become_new_kernel_without_perf();
    machine.keeps_ids = true;
    machine.stays_in_one_of = INT_MAX;
    refuses_ids("where all sleeps change them", "8 of 8 sleeps went unnoticed");
}

static void ids_of_older_kernels(void)
{
    struct tclk_config ids = {.source = TCLK_SOURCE_IDS};
    machine.libc_has_no_rseq = true;
    is_ns(tclk_clock_configure(&ids), -ENOTSUP, "on Linux 6.12 ids are not taken by name");
    says(TCLK_SOURCE_IDS, "Linux 6.12 has the source rseq");
}

/* Linux 7.0 with the change of 7.0.10, as distributions have it. */
static void ids_of_linux_7_0(void)
{
    become_new_kernel_without_perf();
    machine.kernel_minor = 0;
    chooses(TCLK_RSEQ_IDS_MINOR == 0 ? TCLK_SOURCE_IDS : TCLK_SOURCE_CLOCK, "on Linux 7.0 without perf");
    says(TCLK_SOURCE_IDS, TCLK_RSEQ_IDS_MINOR == 0 ? "sound here" : "Linux 7.0 does not write the ids");
}

static void ids_of_linux_6_19(void)
{
    become_new_kernel_without_perf();
    machine.kernel_major = 6;
    machine.kernel_minor = 19;
    chooses(TCLK_SOURCE_CLOCK, "on Linux 6.19 without perf");
    says(TCLK_SOURCE_IDS, "Linux 6.19 does not write the ids at every switch");
}

/* ---- the continuous check ---- */

static void blinded_ids_are_given_up(void)
{
    become_new_kernel_without_perf();
    chooses(TCLK_SOURCE_IDS, "before ids go blind");
    for (int i = 0; i < 4 && demotions() == 0; i++) {
        miss_a_switch();
    }
    is_ns((int64_t)demotions(), 1, "ids that miss switches are given up");
    chooses(TCLK_SOURCE_CLOCK, "after ids went blind");
    says(TCLK_SOURCE_IDS, "missed a context switch");
}

/* If perf, asked for by name, is lost, ids is next. */
static void next_source_is_ids(void)
{
    become_new_kernel_without_perf();
    machine.perf_error = 0;
    struct tclk_config perf = {.source = TCLK_SOURCE_PERF};
    tclk_clock_configure(&perf);
    read_now();
    for (int i = 0; i < 4 && demotions() == 0; i++) {
        machine.keeps_markers = true;
        machine_run(100000, USER_MODE);
        machine_sleep(10 * MS);
        machine.keeps_markers = false;
        read_now();
    }
    is_ns((int64_t)demotions(), 1, "perf is given up once");
    chooses(TCLK_SOURCE_IDS, "after perf was given up, with sound ids");
}

int main(void)
{
    void (*const tests[])(void) = {
        chosen_without_perf,
        perf_goes_before_ids,
        ids_of_libcs_area,
        ids_of_a_foreign_area,
        ids_under_debugging,
        ids_without_sleeps,
        ids_that_are_kept,
        ids_that_change,
        ids_that_change_often,
        chosen_where_threads_move,
        chosen_where_no_sleeper_stays,
        ids_that_sleeps_change,
        ids_of_older_kernels,
        ids_of_linux_6_19,
        ids_of_linux_7_0,
        blinded_ids_are_given_up,
        next_source_is_ids,
    };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        in_fresh_process(tests[i]);
    }
    return done();
}
