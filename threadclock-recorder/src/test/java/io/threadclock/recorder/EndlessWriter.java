// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.nio.file.Path;

/**
 * A program that is killed by a test. It goes on where it, or the one before it, was, one fake second after the other,
 * and prints which second is committed. Arguments: the directory, and the number of threads of a sample.
 */
final class EndlessWriter {
    private static final long SECOND_US = 1_000_000;

    private EndlessWriter() {}

    public static void main(String[] arguments) {
        int threads = Integer.parseInt(arguments[1]);
        Store store = Store.open(Path.of(arguments[0]), RetentionLimits.parse("1g"));
        long us = store.lastSampleUs(MadeUp.JVM).orElse(MadeUp.BEGIN_US - SECOND_US);
        for (; ; ) {
            us += SECOND_US;
            store.put(MadeUp.sample(us, SECOND_US, threads, false));
            System.out.println("second " + (us - MadeUp.BEGIN_US) / SECOND_US);
        }
    }
}
