// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much of the long tests is done on one JDK. By default the newest and the oldest do all of it and the others a
 * part, because a run has seven JDKs; with {@code -Dthreadclock.thorough} each does all, and with
 * {@code -Dthreadclock.brief}, which is what {@code ./threadclock test} runs, the newest alone does the part.
 */
final class Thoroughness {
    static final boolean BRIEF = System.getProperty("threadclock.brief") != null;
    static final boolean THOROUGH = System.getProperty("threadclock.thorough") != null;

    private Thoroughness() {}

    static String of(Jdk jdk, int all, int part) {
        return Integer.toString(doesAll(jdk) ? all : part);
    }

    /** All settings, or the first ones: for what the native library does by itself, whatever JVM it is in. */
    static Stream<String> settings(Jdk jdk, int part, String... all) {
        return settings(jdk, part, Stream.of(all));
    }

    static <T> Stream<T> settings(Jdk jdk, int part, Stream<T> all) {
        return doesAll(jdk) ? all : all.limit(part);
    }

    static Stream<Jdk> oldestAndNewest() {
        return JdksUnderTest.all().filter(Thoroughness::isOldestOrNewest);
    }

    static boolean doesAll(Jdk jdk) {
        return !BRIEF && isOldestOrNewest(jdk);
    }

    /** Or each is to do all. */
    static boolean isOldestOrNewest(Jdk jdk) {
        List<Jdk> all = JdksUnderTest.all().toList();
        return THOROUGH || jdk.equals(all.get(0)) || jdk.equals(all.get(all.size() - 1));
    }
}
