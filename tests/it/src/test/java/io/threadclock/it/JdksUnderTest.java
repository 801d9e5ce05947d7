// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The JDKs that the tests run on, alone and with each of several settings. */
final class JdksUnderTest {
    private static final int OLDEST_FEATURE = 8;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private JdksUnderTest() {}

    static Stream<Jdk> all() {
        List<Jdk> found = found();
        return found.stream().skip(Thoroughness.BRIEF ? found.size() - 1 : 0);
    }

    /** All; in a brief run, the oldest that the agent supports as well, if it is at hand. */
    static Stream<Jdk> allAndTheOldest() {
        Stream<Jdk> oldest = Stream.concat(found().stream(), stored())
                .filter(jdk -> jdk.feature() == OLDEST_FEATURE)
                .limit(1);
        return Thoroughness.BRIEF ? Stream.concat(oldest, all()).distinct() : all();
    }

    /** Where {@code ./threadclock test --jdks} puts what it fetches. */
    private static Stream<Jdk> stored() {
        Map<String, String> environment = System.getenv();
        String caches = environment.getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
        Path store = Path.of(environment.getOrDefault("THREADCLOCK_CACHE", caches + "/threadclock"));
        Jdk oldest = new Jdk(store.resolve("jdk-" + OLDEST_FEATURE + "/home"), "" + OLDEST_FEATURE, "");
        boolean isHere = Files.isExecutable(oldest.java()) && !environment.containsKey("THREADCLOCK_JDKS");
        return isHere ? Stream.of(oldest) : Stream.empty();
    }

    private static List<Jdk> found() {
        List<Jdk> found = Jdks.onePerFeature(OLDEST_FEATURE);
        if (found.isEmpty()) {
            throw new SetupException("Looking for a JDK " + OLDEST_FEATURE + " or newer: found none. "
                    + "Install one, or name its home in THREADCLOCK_JDKS.");
        }
        return found;
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
