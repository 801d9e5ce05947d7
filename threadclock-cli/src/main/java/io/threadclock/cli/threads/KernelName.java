// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/** What the kernel has of a thread's name: 15 bytes. JDKs up to 25 give it the first ones, newer ones the ends of the name. */
final class KernelName {
    static final int LONGEST = 15;

    private static final String LEFT_OUT = "..";
    private static final int FIRST = 7;

    private KernelName() {}

    /** Whether a thread of that name may have this one. */
    static boolean mayStandFor(String kernelName, String name) {
        return name.equals(kernelName)
                || kernelName.length() == LONGEST && name.startsWith(kernelName)
                || isAbbreviated(kernelName)
                        && name.startsWith(kernelName.substring(0, FIRST))
                        && name.endsWith(end(kernelName));
    }

    /** {@code http-ni..exec-1}. */
    static boolean isAbbreviated(String kernelName) {
        return kernelName.length() == LONGEST && kernelName.startsWith(LEFT_OUT, FIRST);
    }

    private static String end(String kernelName) {
        return kernelName.substring(FIRST + LEFT_OUT.length());
    }

    /** Whether it may be one of the numbered threads of that name, {@code C2 CompilerThread} of {@code C2 Comp..hread0}. */
    static boolean mayBeOneOf(String kernelName, String name) {
        return kernelName.startsWith(name)
                || kernelName.length() == LONGEST && name.startsWith(kernelName)
                || isAbbreviated(kernelName)
                        && name.startsWith(kernelName.substring(0, FIRST))
                        && name.endsWith(end(kernelName.replaceFirst("\\d+$", "")));
    }
}
