// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Threads of one pool are numbered: what they have in common is their name without the last number. */
public final class PoolName {
    private static final Pattern LAST_NUMBER = Pattern.compile("\\d+(?=\\D*$)");

    private PoolName() {}

    /** {@code http-nio-8080-exec-7} is one of {@code http-nio-8080-exec-*}. */
    public static String of(String thread) {
        Matcher number = LAST_NUMBER.matcher(thread);
        return number.find() ? number.replaceFirst("*") : thread;
    }
}
