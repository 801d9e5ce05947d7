// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartedByTest {
    @Test
    void theStarterIsGivenTheCommandLineOfTheJvm() {
        ChildResult result = ChildJvm.on(Jdks.running())
                .startedBy("sh", "-c", "COLOUR=green exec \"$@\"", "starter")
                .mainClass(Colour.class)
                .run();
        assertThat(result).isEqualTo(new ChildResult(0, false, "green\n", ""));
    }

    static final class Colour {
        private Colour() {}

        public static void main(String[] arguments) {
            System.out.println(System.getenv("COLOUR"));
        }
    }
}
