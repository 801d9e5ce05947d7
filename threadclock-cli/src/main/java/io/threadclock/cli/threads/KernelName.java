// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/**
 * The kernel's name of a thread, which has 15 bytes. JDKs up to 25 store the first bytes of the name, newer ones its
 * ends.
 */
final class KernelName {
    static final int LONGEST = 15;

    private static final String LEFT_OUT = "..";
    private static final int FIRST = 7;

    private KernelName() {}

    /** Whether the kernel's name may be that of a thread with this name. */
    static boolean mayStandFor(String kernelName, String name) {
        return name.equals(kernelName)
                || kernelName.length() == LONGEST && name.startsWith(kernelName)
                || isAbbreviated(kernelName)
                        && name.startsWith(kernelName.substring(0, FIRST))
                        && name.endsWith(end(kernelName));
    }

    /** Whether it is abbreviated like {@code http-ni..exec-1}. */
    static boolean isAbbreviated(String kernelName) {
        return kernelName.length() == LONGEST && kernelName.startsWith(LEFT_OUT, FIRST);
    }

    private static String end(String kernelName) {
        return kernelName.substring(FIRST + LEFT_OUT.length());
    }
}
