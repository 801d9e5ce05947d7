// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.threadclock.CpuQuota;
import io.threadclock.cli.process.CpuList;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.ProcessFiles;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The limits of a process.
 *
 * @param uid effective
 * @param isFiltered whether a seccomp filter judges its system calls
 * @param capabilities effective
 * @param lockableBytes of memory; {@link Long#MAX_VALUE}: unlimited
 * @param cpus number of CPUs that it may run on; 0: unknown
 * @param quota of its control groups
 */
public record ProcessLimits(
        long uid, boolean isFiltered, long capabilities, long lockableBytes, int cpus, @JsonIgnore CpuQuota quota) {
    private static final Pattern UID = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+(\\d+)");
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-f]{1,16})");
    private static final Pattern LOCKABLE = Pattern.compile("(?m)^Max locked memory\\s+(\\d+)");
    private static final int CAP_IPC_LOCK = 14;
    private static final int CAP_SYS_ADMIN = 21;
    private static final int CAP_PERFMON = 38;
    /** From this level on, the kernel forbids processes without privilege what a perf page needs. */
    private static final int PARANOID = 3;
    /** Below this level, the kernel does not limit locked memory. */
    private static final int NOT_PARANOID = -1;

    private static final long PAGE_BYTES = 4096;
    private static final long KIB = 1024;

    /** @param machine the files of the machine */
    public static ProcessLimits of(KernelFiles machine, ProcessFiles process) {
        KernelFiles files = process.files();
        return new ProcessLimits(
                Long.parseLong(files.find("status", UID).orElse("0")),
                process.isFiltered(),
                Long.parseUnsignedLong(files.find("status", CAPABILITIES).orElse("0"), 16),
                Long.parseLong(files.find("limits", LOCKABLE).orElse(Long.toString(Long.MAX_VALUE))),
                CpuList.allowed(process),
                process.quota(machine));
    }

    /** Whether the system's setting allows perf. A seccomp filter may forbid it all the same. */
    boolean mayUsePerf(MachineFacts machine) {
        return isPrivileged() || machine.perfParanoid().orElse(PARANOID) < PARANOID;
    }

    /** Whether a filter or the system's setting may leave only system calls to the clock. */
    public boolean mayRefuseSources(MachineFacts machine) {
        return isFiltered || !mayUsePerf(machine);
    }

    boolean isPrivileged() {
        return has(CAP_PERFMON) || has(CAP_SYS_ADMIN);
    }

    /** The number of threads that can have a perf page, if this user's processes have none yet; empty: any number. */
    OptionalLong perfPages(MachineFacts machine) {
        if (has(CAP_IPC_LOCK)
                || lockableBytes == Long.MAX_VALUE
                || machine.perfParanoid().orElse(PARANOID) <= NOT_PARANOID) {
            return OptionalLong.empty();
        }
        return OptionalLong.of((machine.perfLockableKb() * KIB * machine.cpus() + lockableBytes) / PAGE_BYTES);
    }

    /** The limits in words for people. */
    public String words(MachineFacts machine) {
        String allowed = cpus == 0 || cpus >= machine.cpus() ? "all CPUs" : cpus + " of " + machine.cpus() + " CPUs";
        String filter = isFiltered ? "a seccomp filter" : "no seccomp filter";
        return "user " + uid + ", " + allowed + ", " + quotaWords() + ", " + filter;
    }

    /** {@return the number of CPUs whose time its control groups allow; null: no quota, or none can be seen} */
    @JsonProperty
    Double quotaCpus() {
        return quota.groups().isEmpty() ? null : Double.valueOf(quota.cpus());
    }

    private String quotaWords() {
        if (!quota.isKnown()) {
            return "its quota cannot be seen from here";
        }
        return quota.groups().isEmpty() ? "no quota" : "a quota of " + FigureFormat.of(quota.cpus()) + " CPUs";
    }

    private boolean has(int capability) {
        return (capabilities >>> capability & 1) != 0;
    }
}
