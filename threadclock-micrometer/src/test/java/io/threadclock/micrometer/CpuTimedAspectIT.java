// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the aspect in a program that AspectJ's agent weaves while it is loaded. */
class CpuTimedAspectIT {
    private static final String CLASS = "tag(class=" + WovenProgram.class.getName();

    @TempDir
    private static Path folder;

    private static String output;

    @BeforeAll
    static void runProgram() throws Exception {
        if (!ThreadClock.isSupported()) {
            return;
        }
        String classPath = System.getProperty("java.class.path");
        String weaver = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(jar -> jar.contains("aspectjweaver"))
                .findFirst()
                .orElseThrow();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        output = Executable.output(
                folder,
                List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-javaagent:" + weaver,
                        "-cp",
                        classPath,
                        WovenProgram.class.getName()));
        assertThat(output).startsWith("0\n");
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    private static double figure(String line) {
        Matcher matcher =
                Pattern.compile("(?m)^" + Pattern.quote(line) + " ([0-9.E-]+)$").matcher(output);
        assertThat(matcher.find()).as("%s, in%n%s", line, output).isTrue();
        return Double.parseDouble(matcher.group(1));
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
}
