// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.harness.Jdks;
import java.io.File;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the aspect in a program that AspectJ's agent weaves while it is loaded. */
class CpuTimedAspectIT {
    private static final String CLASS = "tag(class=" + Woven.class.getName();

    private static String output;

    @BeforeAll
    static void runProgram() {
        if (!ThreadClock.isSupported()) {
            return;
        }
        String weaver = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(jar -> jar.contains("aspectjweaver"))
                .findFirst()
                .orElseThrow();
        output =
                Programs.output(Programs.shortLived(Woven.class, Jdks.running()).jvmOptions("-javaagent:" + weaver));
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    private static double figure(String line) {
        return Programs.figure(output, line);
    }

    @Test
    void measuresAMethodUnderItsAnnotationsNameAndTags() {
        String tags = CLASS + "), tag(kind=test), tag(method=validate)";
        double userSeconds = figure("order.validate.cpu.time[" + tags + ", tag(mode=user)]");
        double systemSeconds = figure("order.validate.cpu.time[" + tags + ", tag(mode=system)]");
        assertThat(userSeconds + systemSeconds).as("CPU s of two calls of 5 ms").isBetween(0.010, 1.0);
        assertThat(figure("order.validate-cpu[" + tags + "]")).isEqualTo(2);
    }

    @Test
    void measuresAMethodThatFailsAndLetsItsExceptionThrough() {
        assertThat(output).contains("thrown: the method's own");
        assertThat(figure("method.timed-cpu[" + CLASS + "), tag(method=failing)]"))
                .isEqualTo(1);
    }

    @Test
    void measuresTheMethodsOfATimedClass() {
        assertThat(figure("whole.class-cpu[" + CLASS + "$WholeClass), tag(method=work)]"))
                .isEqualTo(1);
    }

    /** Is the program: methods into which AspectJ weaves the aspect. */
    static final class Woven {
        private Woven() {}

        public static void main(String[] arguments) {
            Metrics.addRegistry(new SimpleMeterRegistry());
            Woven program = new Woven();
            program.validate();
            program.validate();
            program.fail();
            new WholeClass().work();
            Programs.print(Metrics.globalRegistry);
        }

        @Timed(
                value = "order.validate",
                extraTags = {"kind", "test"})
        void validate() {
            Burning.cpu(5_000_000);
        }

        private void fail() {
            try {
                failing();
            } catch (IllegalStateException expected) {
                System.out.println("thrown: " + expected.getMessage());
            }
        }

        @Timed
        void failing() {
            throw new IllegalStateException("the method's own");
        }

        /** All methods of this class are measured. */
        @Timed("whole.class")
        static final class WholeClass {
            void work() {
                Burning.cpu(1_000_000);
            }
        }
    }
}
