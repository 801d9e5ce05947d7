// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.Arrays;
import java.util.regex.Pattern;

/** A list of CPUs in the kernel's form, for instance {@code 0-3,8}. */
public final class CpuList {
    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s+(\\S+)");

    private CpuList() {}

    /** The number of CPUs on which a process may run, by its affinity and its cpuset; 0: unknown. */
    public static int allowed(ProcessFiles process) {
        return count(process.files().find("status", ALLOWED).orElse(""));
    }

    /** The number of CPUs; 0 if there is no list. */
    public static int count(String text) {
        return Arrays.stream(text.strip().split(","))
                .filter(range -> !range.isEmpty())
                .mapToInt(CpuList::length)
                .sum();
    }

    private static int length(String range) {
        int dash = range.indexOf('-');
        return dash < 0
                ? 1
                : Integer.parseInt(range.substring(dash + 1)) - Integer.parseInt(range.substring(0, dash)) + 1;
    }
}
