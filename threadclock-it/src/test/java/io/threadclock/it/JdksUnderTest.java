// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The JDKs that the tests run on, alone and with each of several settings. */
final class JdksUnderTest {
    private static final int OLDEST_FEATURE = 8;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private JdksUnderTest() {}

    static Stream<Jdk> all() {
        List<Jdk> found = Jdks.onePerFeature(OLDEST_FEATURE);
        if (found.isEmpty()) {
            throw new SetupException("Looking for a JDK " + OLDEST_FEATURE + " or newer: found none. "
                    + "Install one, or name its home in THREADCLOCK_JDKS.");
        }
        return found.stream().skip(Thoroughness.BRIEF ? found.size() - 1 : 0);
    }

    static Stream<Jdk> withVirtualThreads() {
        return all().filter(JdksUnderTest::hasVirtualThreads);
    }

    static boolean hasVirtualThreads(Jdk jdk) {
        return jdk.feature() >= FIRST_WITH_VIRTUAL_THREADS;
    }

    static Stream<Arguments> withEach(String... settings) {
        return withEach(jdk -> Stream.of(settings));
    }

    static Stream<Arguments> present(Presence... presences) {
        return all().flatMap(jdk -> Stream.of(presences).map(presence -> Arguments.of(jdk, presence)));
    }

    static Stream<Arguments> withEach(Function<Jdk, Stream<String>> settings) {
        return all().flatMap(jdk -> settings.apply(jdk).map(setting -> Arguments.of(jdk, setting)));
    }
}
