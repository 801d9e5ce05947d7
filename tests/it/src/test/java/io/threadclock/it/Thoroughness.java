// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.Amount;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How much of the long tests is done on one JDK. By default the newest and the oldest do all of it and the others a
 * part, because a run has seven JDKs; with {@code -Dthreadclock.thorough} each does all, and with
 * {@code -Dthreadclock.brief}, which is what {@code ./threadclock test} runs, the newest alone does the part or less.
 */
final class Thoroughness {
    static final boolean BRIEF = System.getProperty("threadclock.brief") != null;
    static final boolean THOROUGH = System.getProperty("threadclock.thorough") != null;

    /** What {@code threadclock} itself is started with: few threads for a short life. */
    private static final List<String> SHORT_LIFE = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Pattern COLLECTOR_OR_COMPILER =
            Pattern.compile("-XX:\\+Use\\w+GC|-XX:.?Tiered.*|-Xint|-Xcomp");

    private Thoroughness() {}

    /**
     * More options of a child JVM. A brief run does without the JDK's own collector and its second compiler, unless
     * these options choose others.
     */
    static List<String> shortLife(Collection<String> options) {
        boolean chooses = options.stream()
                .anyMatch(option -> COLLECTOR_OR_COMPILER.matcher(option).matches());
        return BRIEF && !chooses ? SHORT_LIFE : List.of();
    }

    /** The JVM option by which a child JVM knows how much to do. */
    static String amountFor(Jdk jdk) {
        return "-D" + Amount.PROPERTY + "=" + (BRIEF ? Amount.LITTLE : doesAll(jdk) ? Amount.ALL : Amount.PART);
    }

    static String of(Jdk jdk, int all, int part, int little) {
        return Integer.toString(BRIEF ? little : doesAll(jdk) ? all : part);
    }

    static int orLittle(int all, int little) {
        return BRIEF ? little : all;
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
