// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.CpuList;
import io.threadclock.cli.process.KernelFiles;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The facts about this machine that files tell.
 *
 * @param kernel its release
 * @param architecture the name by uname
 * @param cpu its model
 * @param isVirtual whether the CPU says that there is a hypervisor (x86 only)
 * @param cpus number of CPUs that are online
 * @param perfParanoid {@code kernel.perf_event_paranoid}, empty if unknown
 * @param perfLockableKb {@code kernel.perf_event_mlock_kb}, for each CPU
 */
public record MachineFacts(
        String kernel,
        String architecture,
        String cpu,
        boolean isVirtual,
        int cpus,
        OptionalLong perfParanoid,
        long perfLockableKb) {
    private static final Pattern MODEL = Pattern.compile("(?m)^(?:model name|Hardware|CPU part)\\s*:\\s*(.+)$");
    private static final Pattern HYPERVISOR = Pattern.compile("(?m)^flags\\s*:.*\\b(hypervisor)\\b");
    /** 512 KiB and a page: the kernel's default. */
    private static final long LOCKABLE_KB = 516;

    public static MachineFacts of(KernelFiles files) {
        return new MachineFacts(
                files.text("proc/sys/kernel/osrelease").strip(),
                System.getProperty("os.arch").replace("amd64", "x86_64"),
                files.find("proc/cpuinfo", MODEL).orElse("CPU of unknown model"),
                files.find("proc/cpuinfo", HYPERVISOR).isPresent(),
                Math.max(1, CpuList.count(files.text("sys/devices/system/cpu/online"))),
                files.number("proc/sys/kernel/perf_event_paranoid"),
                files.number("proc/sys/kernel/perf_event_mlock_kb").orElse(LOCKABLE_KB));
    }

    /** The facts in one line. */
    public String line() {
        return cpu + (isVirtual ? " (virtual machine), " : ", ") + cpus + (cpus == 1 ? " CPU" : " CPUs") + ", Linux "
                + kernel;
    }
}
