// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Programs from sources: the one that docs/virtual-threads.md shows, and one that no old JDK compiles. */
class VirtualThreadsPageIT {
    /** JDK 25 is the first that runs programs without a class. */
    private static final int FIRST_JAVA = 25;

    private static final Path HOME = Path.of(System.getProperty("threadclock.home", "../.."));

    /** As the page says, in the folder of the checkout. */
    private static final List<String> OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "-cp", "library/target/threadclock-library.jar");

    @TempDir
    Path folder;

    @OnEachJdkWithVirtualThreads
    void thePageBeginsWithAProgramThatRuns(Jdk jdk) throws Exception {
        assertFirstProgramRuns(HOME.resolve("docs/virtual-threads.md"), jdk);
    }

    private void assertFirstProgramRuns(Path page, Jdk jdk) throws Exception {
        assumeTrue(jdk.feature() >= FIRST_JAVA, "programs without a class (JDK 25)");
        Matcher block =
                Pattern.compile("(?ms)^```java\\n([^`]*?^void main\\(.*?)^```$").matcher(Files.readString(page));
        assertThat(block.find()).as("a Java program in %s", page).isTrue();
        Path program = Files.writeString(folder.resolve("Cost.java"), block.group(1));
        assertThat(Files.readString(page))
                .as("%s", page)
                .contains("`java " + String.join(" ", OPTIONS) + " Cost.java`");
        assertThat(outputOf(program, jdk))
                .containsPattern("(?m)^a request on a virtual thread: CPU \\d+ ns = user \\d+ ns \\+ system \\d+ ns$");
    }

    @OnEachJdkWithVirtualThreads
    @Tag("server")
    void theApiOfThreadsAnswersTheSameHoweverAThreadIsMeasured(Jdk jdk) throws Exception {
        String stock = outputOf(source("ThreadContract.java"), jdk, List.of("none"));
        assertThat(stock.lines()).as("answers").hasSizeGreaterThan(25);
        for (String way : List.of("factory", "measure", "current")) {
            assertThat(outputOf(source("ThreadContract.java"), jdk, List.of(way)))
                    .as("answers for threads that are measured by %s", way)
                    .isEqualTo(stock);
        }
        assertThat(outputOf(source("ThreadContract.java"), jdk, List.of("agent"), Program.LIBRARY.jvmOption("virtual")))
                .as("answers for threads that the agent measures")
                .isEqualTo(stock);
    }

    private Path source(String name) throws URISyntaxException {
        return Path.of(getClass().getResource(name).toURI());
    }

    private String outputOf(Path program, Jdk jdk, String... options) throws Exception {
        return outputOf(program, jdk, List.of(), options);
    }

    private String outputOf(Path program, Jdk jdk, List<String> arguments, String... options) throws Exception {
        assumeTrue(hasCompiler(jdk), jdk + " has no compiler");
        List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
        command.addAll(Thoroughness.shortLife(List.of()));
        command.addAll(List.of(options));
        command.addAll(OPTIONS);
        command.add(program.toString());
        command.addAll(arguments);
        Path output = folder.resolve("output.txt");
        int status = statusOf(command, output);
        String text = Files.readString(output);
        assertThat(status).as("status of the program, which prints%n%s", text).isZero();
        return text;
    }

    /** A runtime may have the compiler and no bin/javac. */
    private boolean hasCompiler(Jdk jdk) throws Exception {
        List<String> question = List.of(jdk.java().toString(), "--describe-module", "jdk.compiler");
        return statusOf(question, folder.resolve("module.txt")) == 0;
    }

    private static int statusOf(List<String> command, Path output) throws Exception {
        return new ProcessBuilder(command)
                .directory(HOME.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }
}
