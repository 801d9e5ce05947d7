// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests' programs, each in a JVM of its own. */
final class Programs {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private Programs() {}

    /** Those that THREADCLOCK_JDKS names; that of the tests if there is none, or they are to be brief. */
    static List<Jdk> jdksWithVirtualThreads() {
        boolean areNamed = System.getProperty("threadclock.brief") == null && System.getenv("THREADCLOCK_JDKS") != null;
        List<Jdk> jdks = areNamed ? Jdks.installed() : List.of(Jdks.running());
        return jdks.stream()
                .filter(jdk -> jdk.feature() >= FIRST_WITH_VIRTUAL_THREADS)
                .toList();
    }

    static ChildJvm.Builder shortLived(Class<?> main, Jdk jdk) {
        return measured(main, jdk).jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    static ChildJvm.Builder measured(Class<?> main, Jdk jdk) {
        return ChildJvm.on(jdk).mainClass(main).timeout(Duration.ofMinutes(10));
    }

    /** Both outputs of a program, which has to end with exit status 0. */
    static String output(ChildJvm.Builder program) {
        ChildResult result = program.run();
        String output = result.stdout() + result.stderr();
        assertThat(result.exitStatus()).as("exit status, after%n%s", output).isZero();
        return output;
    }

    /** The number on the line that has nothing else after the name. */
    static double figure(String output, String name) {
        Matcher line =
                Pattern.compile("(?m)^" + Pattern.quote(name) + " ([0-9.E-]+)$").matcher(output);
        assertThat(line.find()).as("%s, in%n%s", name, output).isTrue();
        return Double.parseDouble(line.group(1));
    }

    /** Prints a meter a line: its name, its tags, and its value or count. */
    static void print(MeterRegistry registry) {
        registry.forEachMeter(meter -> System.out.println(meter.getId().getName()
                + meter.getId().getTags() + " "
                + meter.measure().iterator().next().getValue()));
    }
}
