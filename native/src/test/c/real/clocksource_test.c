/* SPDX-License-Identifier: Apache-2.0 */

/* Whether the kernel still keeps the time-stamp counter among its clock sources. */

#include "clock/counter.h"
#include "clock/proof.h"
#include "kernel/clocksource.h"
#include "real.h"

static bool names(const char *line)
{
    return tclk_clocksources_name(line, strlen(line), "tsc");
}

static void lines_of_kernels(void)
{
    ok(names("tsc hpet acpi_pm \n"), "a machine with a sound TSC names it");
    ok(names("tsc kvm-clock \n"), "and so does a guest that prefers its hypervisor's clock");
    ok(names("kvm-clock tsc acpi_pm \n"), "the TSC may have any place in the line");
    ok(names("tsc-early hpet acpi_pm \n"), "and one whose kernel is still measuring it");
    ok(names("tsc"), "a line may end without a space");
    ok(!names("hpet acpi_pm \n"), "a kernel that has given the TSC up does not");
    ok(!names("hyperv_clocksource_tsc_page acpi_pm \n"), "a name with tsc in it is another one");
    ok(!names("tsc2 xtsc ts \n"), "a longer or shorter name is another one");
    ok(!names("") && !names("\n") && !names("   "), "an empty line names nothing");
}

static void files(void)
{
    char root[] = "/tmp/threadclock-clocksource.XXXXXX";
    char path[256];
    bool has = false;
    if (skips(mkdtemp(root) == NULL, "the file is read", "a writable /tmp")) {
        return;
    }
    is_ns(tclk_clocksource_is_kept(root, "tsc", &has), -ENOENT, "a hidden file is an error");
    snprintf(path, sizeof path, "%s/devices/system/clocksource/clocksource0/available_clocksource", root);
    file_write(path, "");
    is_ns(tclk_clocksource_is_kept(root, "tsc", &has), -EBADMSG, "and so is an empty one");
    ok(!has, "a refusal leaves the answer as it was");
    file_write(path, "hpet tsc \n");
    ok(tclk_clocksource_is_kept(root, "tsc", &has) == 0 && has, "else the file's line is read");
    folder_remove(root);
    ok(access(root, F_OK) != 0, "nothing is left of it");
}

static void this_machine(void)
{
    char text[256];
    bool kept = tclk_counter_is_kept();
    tclk_proof_try(TCLK_SUBJECT_COUNTER);
    tclk_source_explain((enum tclk_source)TCLK_SUBJECT_COUNTER, text, sizeof text);
    diag("kept: %d; counter: %s; source %s", kept, text, tclk_source_name(tclk_clock_source()));
    ok(kept || !tclk_proof_try(TCLK_SUBJECT_COUNTER), "a counter that the kernel has given up is not used");
}

int main(void)
{
    lines_of_kernels();
    files();
    this_machine();
    return done();
}
