// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.util.List;
import java.util.Set;

/** Which of the JDKs found a driver is to run on. */
public final class JdkChoice {
    private JdkChoice() {}

    /**
     * One JDK per feature version from {@code oldestFeature} on; if {@code features} are named, only these.
     *
     * @throws SetupException if there is none, or one that is named is missing
     */
    public static List<Jdk> among(List<Jdk> found, int oldestFeature, Set<Integer> features) {
        List<Jdk> chosen = Jdks.onePerFeature(found, oldestFeature).stream()
                .filter(jdk -> features.isEmpty() || features.contains(jdk.feature()))
                .toList();
        if (chosen.isEmpty() || chosen.size() < features.size()) {
            String wanted = features.isEmpty() ? "a JDK " + oldestFeature + " or newer" : "the JDKs " + features;
            throw new SetupException("Looking for " + wanted + ": found " + (found.isEmpty() ? "none" : found)
                    + ". Install one, or name the homes of JDKs in THREADCLOCK_JDKS, separated by colons.");
        }
        return chosen;
    }
}
