// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import java.util.Arrays;

/** A list of CPUs in the kernel's form, for instance {@code 0-3,8}. */
final class CpuList {
    private CpuList() {}

    /** The number of CPUs; 0 if there is no list. */
    static int count(String text) {
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
