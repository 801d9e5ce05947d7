// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdks;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The code blocks of docs/library.md and docs/account.md, and the first one of README, compile and run. */
class LibraryPageTest {
    private static final Path HOME = Path.of(System.getProperty("threadclock.home", ".."));
    private static final String PAGE = read(HOME.resolve("docs/library.md"));
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

    /** The surroundings that the blocks assume. Each block is members of the class, or statements of a method. */
    private static final String SURROUNDINGS =
            """
            import io.threadclock.*;
            import java.util.*;
            import java.util.concurrent.*;
            class Snippet {
                interface Request {}
                static Request request;
                static List<Request> requests;
                static ExecutorService pool = ForkJoinPool.commonPool();
                static CpuAccount account = new CpuAccount();
                static void cancel(Request request) {}
                static void log(String text) {}
                static void handle(Request request) {}
                static void work() {}
                %s
            }
            """;

    private static final String METHOD = "void statements() throws Exception { %s }";

    /** Calls a block; in a virtual thread if there is an argument. */
    private static final String RUN =
            """
            public static void main(String[] arguments) throws Throwable {
                Runnable call = () -> { try { new Snippet().call(); } catch (Exception e) { failed = e; } };
                if (arguments.length == 0) {
                    call.run();
                } else {
                    ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, call)).join();
                }
                if (failed != null) {
                    throw failed;
                }
            }
            static volatile Exception failed;
            %s
            void call() throws Exception { %s }
            """;

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    /** Has the JDK's classes open, which takes longer than to compile. */
    private static final StandardJavaFileManager FILES =
            COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

    @TempDir
    private Path classes;

    static List<String> javaBlocks() {
        return blocks(PAGE);
    }

    static Stream<String> blocksOfBothPages() {
        return Stream.concat(javaBlocks().stream(), accountBlocks().stream());
    }

    /** Without the classes that {@link HoppingRequestsTest} uses. */
    private static List<String> accountBlocks() {
        return blocks(read(HOME.resolve("docs/account.md"))).stream()
                .filter(block -> !block.startsWith("final class "))
                .toList();
    }

    private static List<String> blocks(String page) {
        return JAVA_BLOCK.matcher(page).results().map(block -> block.group(1)).toList();
    }

    @ParameterizedTest
    @MethodSource("blocksOfBothPages")
    void showsCodeThatCompiles(String block) throws IOException {
        assertCompiles(block.startsWith("private ") ? block : String.format(METHOD, block));
    }

    /** The blocks that are pasted first, perhaps into a server, and run on a Mac. */
    static List<String> firstBlocks() {
        List<String> page = javaBlocks();
        String members = page.stream()
                .filter(block -> block.startsWith("private "))
                .findFirst()
                .orElseThrow();
        String readme = blocks(read(HOME.resolve("README.md"))).get(0);
        return List.of(
                String.format(RUN, "", page.get(0)),
                String.format(RUN, members, "serve(request);"),
                String.format(RUN, "", accountBlocks().get(0)),
                String.format(RUN, "", readme));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("firstBlocks")
    void beginsWithCodeThatRunsWhereThereIsNoClock(String members) throws Exception {
        assertRuns(members, noLibrary());
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("firstBlocks")
    void beginsWithCodeThatRunsInVirtualThreads(String members) throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        assertRuns(members, List.of(), "virtual");
        assertRuns(members, noLibrary(), "virtual");
    }

    private List<String> noLibrary() {
        return List.of("-Dthreadclock.library=" + classes.resolve("missing.so"));
    }

    private void assertRuns(String members, List<String> options, String... arguments) throws Exception {
        String source = assertCompiles(members);
        ChildResult result = ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .jvmOptions(options)
                .classPath(List.of(classes, Path.of(System.getProperty("java.class.path"))))
                .mainClass("Snippet")
                .arguments(arguments)
                .run();
        assertThat(result.exitStatus()).as("status of%n%s%n%s", source, result).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "threadclock.library",
                "threadclock.library.dir",
                "threadclock.binding",
                "THREADCLOCK_LIBRARY_DIR"
            })
    void namesThePropertiesThatTheLibraryReads(String property) {
        assertThat(PAGE).contains("`" + property + "`");
        assertThat(librarySources())
                .as("sources of the library, one of which has it in quotes")
                .anyMatch(source -> source.contains("\"" + property + "\""));
    }

    @Test
    void namesEachExample() {
        List<String> examples = files(HOME.resolve("examples/src/main/java"))
                .filter(file -> read(file).contains("public static void main("))
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .toList();
        assertThat(examples).hasSize(5).allSatisfy(name -> assertThat(PAGE)
                .containsPattern("(?m)^\\|.*`" + name + "`.*\\|"));
    }

    /** Returns the source of a class with these members. */
    private String assertCompiles(String members) throws IOException {
        String source = String.format(SURROUNDINGS, members);
        Path file = Files.writeString(classes.resolve("Snippet.java"), source);
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-d", classes.toString(), "-proc:none", "--release", "8", "-Xlint:-options");
        COMPILER.getTask(messages, FILES, null, options, null, FILES.getJavaFileObjects(file))
                .call();
        assertThat(messages).as("what javac says of%n%s", source).hasToString("");
        return source;
    }

    private static Stream<String> librarySources() {
        return files(HOME.resolve("library/src/main")).map(LibraryPageTest::read);
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
