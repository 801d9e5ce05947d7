// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.nio.charset.StandardCharsets;

/**
 * The kernel's name of a thread, a char for each byte, because it has 15 bytes, and may end within a character. JDKs up
 * to 25 store the first bytes of the name, newer ones its ends.
 */
final class KernelName {
    static final int LONGEST = 15;

    private static final String LEFT_OUT = "..";
    private static final String UNREADABLE = "\uFFFD";
    private static final int FIRST = 7;

    private KernelName() {}

    /** The name as people read it. */
    static String text(String kernelName) {
        return new String(kernelName.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /**
     * Whether the kernel's name may be that of a thread with this name. The JVM writes some characters, such as emoji, in a
     * way of its own, which cannot be compared.
     */
    static boolean mayStandFor(String kernelName, String name) {
        String whole = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return whole.equals(kernelName)
                || kernelName.length() == LONGEST && whole.startsWith(kernelName)
                || isAbbreviated(kernelName)
                        && whole.startsWith(kernelName.substring(0, FIRST))
                        && whole.endsWith(end(kernelName))
                || name.contains(UNREADABLE);
    }

    /** Whether it is abbreviated like {@code http-ni..exec-1}. */
    static boolean isAbbreviated(String kernelName) {
        return kernelName.length() == LONGEST && kernelName.startsWith(LEFT_OUT, FIRST);
    }

    private static String end(String kernelName) {
        return kernelName.substring(FIRST + LEFT_OUT.length());
    }
}
