// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** The programs that README and docs/virtual-threads.md show: what a newcomer pastes first. */
class VirtualThreadsPageIT {
    /** Of JDK 25: programs without a class. */
    private static final int FIRST_JAVA = 25;

    private static final Path HOME = Path.of(System.getProperty("threadclock.home", ".."));

    @TempDir
    Path folder;

    @OnEachJdk
    void readmeShowsAProgramThatRuns(Jdk jdk) throws Exception {
        assertFirstProgramRuns(HOME.resolve("README.md"), jdk);
    }

    @OnEachJdk
    void thePageBeginsWithAProgramThatRuns(Jdk jdk) throws Exception {
        assertFirstProgramRuns(HOME.resolve("docs/virtual-threads.md"), jdk);
    }

    private void assertFirstProgramRuns(Path page, Jdk jdk) throws Exception {
        assumeTrue(jdk.feature() >= FIRST_JAVA, "programs without a class (JDK 25)");
        assumeTrue(Files.exists(jdk.home().resolve("bin/javac")), jdk + " has no compiler");
        Matcher block =
                Pattern.compile("(?ms)^```java\\n([^`]*?^void main\\(.*?)^```$").matcher(Files.readString(page));
        assertThat(block.find()).as("a Java program in %s", page).isTrue();
        Path program = Files.writeString(folder.resolve("Cost.java"), block.group(1));
        Path output = folder.resolve("output.txt");
        Process run = new ProcessBuilder(
                        jdk.java().toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        Binding.jar().toString(),
                        program.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = run.waitFor();
        assertThat(Files.readString(output))
                .as("what the program prints, which ends with status %d", status)
                .containsPattern("(?m)^a request on a virtual thread: CPU \\d+ ns = user \\d+ ns \\+ system \\d+ ns$");
    }
}
