// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.ThreadClock;
import java.util.Locale;

/**
 * The ways in which the Java library reaches the native one, as modes of a child JVM. The readings must be the same.
 */
final class Bindings {
    static final String JNI = "-Dthreadclock.binding=jni";
    static final String FFM = "-Dthreadclock.binding=ffm";

    private static final String FOREIGN_FUNCTIONS = "META-INF/versions/22/io/threadclock/CallingThread.class";

    private Bindings() {}

    /** Skips the class where the JDK, or the library as it was built, does not have the binding of this JVM. */
    static void assumeThatThisIsPossible() {
        String asked = System.getProperty("threadclock.binding");
        boolean isNew = !System.getProperty("java.specification.version").matches("1\\.8|1\\d|2[01]");
        boolean isInTheJar = ThreadClock.class.getClassLoader().getResource(FOREIGN_FUNCTIONS) != null;
        assumeTrue(asked.equals("jni") || isNew && isInTheJar, "there is no FFM, or the library was built without");
        assertThat(ThreadClock.binding().toString().toLowerCase(Locale.ROOT))
                .as("how the library was reached")
                .isEqualTo(asked);
    }
}
