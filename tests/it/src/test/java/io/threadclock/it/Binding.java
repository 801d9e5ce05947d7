// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.ThreadClock;
import io.threadclock.harness.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The ways in which the Java library reaches the native one. The readings must be the same. */
enum Binding {
    JNI,
    FFM;

    private static final String FOREIGN_FUNCTIONS = "META-INF/versions/22/io/threadclock/CallingThread.class";

    /** The bindings that each JDK can have. */
    static Stream<Arguments> onEachJdk() {
        return JdksUnderTest.all().flatMap(jdk -> Stream.of(values())
                .filter(binding -> binding.isPossibleOn(jdk))
                .map(binding -> Arguments.of(jdk, binding)));
    }

    boolean isPossibleOn(Jdk jdk) {
        return this == JNI || jdk.feature() >= 22;
    }

    /** The program with this binding. The test is skipped if the library was built without it. */
    Program of(Program program) {
        assumeTrue(this == JNI || isInTheJar(), "the library was built by a JDK older than 22, which has no FFM");
        return program.nativeAccess().jvmOption("-Dthreadclock.binding=" + name().toLowerCase(Locale.ROOT));
    }

    static boolean isInTheJar() {
        try (JarFile jar = new JarFile(jar().toFile())) {
            return jar.getEntry(FOREIGN_FUNCTIONS) != null;
        } catch (IOException unreadable) {
            throw new AssertionError("reading " + jar() + " failed: " + unreadable, unreadable);
        }
    }

    static Path jar() {
        return Path.of(ThreadClock.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }
}
