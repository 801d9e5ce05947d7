// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import java.util.ArrayList;
import java.util.List;

/** Starts programs that use the Java library. */
final class LibraryChild {
    private LibraryChild() {}

    /** The native library is the very file that agents are loaded from. */
    static BenchChild start(Jdk jdk, AgentLibrary agent, Class<?> program, String... jvmOptions) {
        List<String> options = new ArrayList<>(List.of(jvmOptions));
        options.add("-Dthreadclock.library=" + agent.path());
        options.add("--enable-native-access=ALL-UNNAMED");
        return new BenchChild(jdk, program, options);
    }
}
