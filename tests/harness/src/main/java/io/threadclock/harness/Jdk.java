// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One installed Java runtime.
 *
 * @param home canonical home directory; {@code home/bin/java} is executable
 * @param version as the runtime states it, for instance {@code 25.0.1} or {@code 1.8.0_402}
 * @param vendor as the runtime states it, or an empty string
 */
public record Jdk(Path home, String version, String vendor) {
    /** Orders by version number, part by part: 17.0.9 before 17.0.15 before 25. */
    public static final Comparator<Jdk> BY_VERSION = Comparator.comparing(Jdk::versionNumbers, Jdk::compareNumbers);

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** The feature version: 8 for 1.8.0_402, 25 for 25.0.1. */
    public int feature() {
        return featureOf(version);
    }

    public static int featureOf(String version) {
        return numbersOf(version).get(0);
    }

    /**
     * Whether its virtual threads can hang at monitors with -XX:-DoJVMTIVirtualThreadTransitions: until JDK-8364343, in
     * 26.
     */
    public boolean canHangWithoutTransitions() {
        return feature() == 24 || feature() == 25;
    }

    public Path java() {
        return home.resolve("bin/java");
    }

    /** The name in tables and messages: {@code JDK 25.0.1 (Eclipse Adoptium)}. */
    @Override
    public String toString() {
        return "JDK " + version + (vendor.isEmpty() ? "" : " (" + vendor + ")");
    }

    private List<Integer> versionNumbers() {
        return numbersOf(version);
    }

    private static List<Integer> numbersOf(String version) {
        String modern = version.startsWith("1.") ? version.substring(2) : version;
        List<Integer> numbers = NUMBER.matcher(modern)
                .results()
                .map(MatchResult::group)
                .map(Integer::valueOf)
                .toList();
        return numbers.isEmpty() ? List.of(0) : numbers;
    }

    private static int compareNumbers(List<Integer> a, List<Integer> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = a.get(i).compareTo(b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }
}
