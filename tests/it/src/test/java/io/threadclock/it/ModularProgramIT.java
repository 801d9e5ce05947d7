// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of one module, which requires the library's. */
class ModularProgramIT {
    private static final Path JAR = Binding.jar();
    private static final String LIBRARY = "io.threadclock";
    private static final int HAS_MODULES = 9;
    private static final int WARNS_OF_NATIVE_CODE = 24;

    private static final String MODULE = "module program { requires io.threadclock; }";
    private static final String MAIN =
            """
            package program;
            import io.threadclock.ThreadClock;
            public class Main {
                public static void main(String[] arguments) {
                    String library = ThreadClock.class.getModule().getName();
                    System.out.println(Main.class.getModule().getName() + " reads " + library);
                    System.out.println(ThreadClock.cpuTimeNs() > 0);
                }
            }
            """;

    @TempDir
    private Path scratch;

    @Test
    void findsTheLibraryAsANamedModuleThatExportsItsPackages() {
        ModuleDescriptor descriptor = ModuleFinder.of(JAR)
                .find(LIBRARY)
                .map(ModuleReference::descriptor)
                .orElseThrow();
        assertThat(descriptor.isAutomatic()).as("named by its file only").isFalse();
        assertThat(descriptor.exports())
                .map(ModuleDescriptor.Exports::source)
                .as("packages it exports")
                .containsExactlyInAnyOrder("io.threadclock", "io.threadclock.diagnostics");
    }

    @OnEachJdk
    void readsWithoutAWarningWhereNativeAccessIsEnabled(Jdk jdk) throws IOException {
        assumeTrue(jdk.feature() >= HAS_MODULES, jdk + " has no modules");
        boolean warns = jdk.feature() >= WARNS_OF_NATIVE_CODE;
        ChildResult result = run(jdk, warns ? List.of("--enable-native-access=" + LIBRARY) : List.of());
        assertThat(result.stderr()).as("warnings of %s", jdk).isEmpty();
        assertThat(result.stdout()).isEqualTo("program reads io.threadclock\ntrue\n");
    }

    @OnEachJdk
    void isWarnedOfTheLibraryElsewhere(Jdk jdk) throws IOException {
        assumeTrue(jdk.feature() >= WARNS_OF_NATIVE_CODE, jdk + " warns of no native code");
        assertThat(run(jdk, List.of()).stderr()).contains("WARNING").contains("--enable-native-access=" + LIBRARY);
    }

    private ChildResult run(Jdk jdk, List<String> options) throws IOException {
        String path = JAR + ":" + compiled();
        // The main class after -m is the module's; what the builder adds are its arguments.
        return ChildJvm.on(jdk)
                .jvmOptions(Thoroughness.shortLife(options))
                .jvmOptions(options)
                .jvmOptions("-p", path, "-m", "program/program.Main")
                .classPath(List.of(scratch))
                .mainClass("program.Main")
                .run();
    }

    private Path compiled() throws IOException {
        Path sources = Files.createDirectories(scratch.resolve("sources/program"));
        Path module = Files.writeString(sources.resolveSibling("module-info.java"), MODULE);
        Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
        Path classes = scratch.resolve("classes");
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        int status = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "--release",
                        "9",
                        "-Xlint:-options",
                        "-p",
                        JAR.toString(),
                        "-d",
                        classes.toString(),
                        module.toString(),
                        main.toString());
        assertThat(status).as("javac: %s", messages).isZero();
        return classes;
    }
}
