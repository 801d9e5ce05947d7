// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import java.util.Set;

/** What is measured only to have something beside the others: calls that tell no thread's time. */
final class Control {
    private static final Set<String> QUANTITIES = Set.of("", "call", "one read", "timer");

    private Control() {}

    static boolean is(String quantity) {
        return QUANTITIES.contains(quantity);
    }

    /** Of a group of figures. */
    static String title(String quantity) {
        return is(quantity) ? "for comparison" : quantity;
    }
}
