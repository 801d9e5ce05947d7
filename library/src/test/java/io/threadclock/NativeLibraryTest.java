// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
    /**
     * The functions that this protocol number promises. The JVM would link to a library that lacks one of them, and
     * then fail.
     */
    private static final List<String> OF_PROTOCOL_13 = List.of(
            "NativeClock.address(Buffer): long",
            "NativeClock.copy(long[]): int",
            "NativeClock.copyOfProcess(long[]): int",
            "NativeClock.cpuTimeNs(): long",
            "NativeClock.criticalFunctions(): long[]",
            "NativeClock.explanation(): String",
            "NativeClock.read(long, Object): int",
            "NativeClock.readWithWaits(long, Object): int",
            "NativeClock.source(): int",
            "NativeClock.split(): int",
            "NativeClock.stats(long[]): void",
            "NativeClock.systemTimeNs(): long",
            "NativeClock.userTimeNs(): long",
            "NativeClock.waits(long[]): void",
            "NativeClock.wallNs(): long",
            "NativeThreads.ageNs(int): long",
            "NativeThreads.all(): Thread[]",
            "NativeThreads.read(Thread[], long[]): void",
            "NativeVirtualClocks.containerHandles(): MethodHandle[]",
            "NativeVirtualClocks.prepare(MethodHandle[]): Object",
            "ThreadMXBeanBoost.attach(): boolean",
            "ThreadMXBeanBoost.detach(): boolean",
            "ThreadMXBeanBoost.isAttached(): boolean");

    @Test
    void otherNativesAreAnotherProtocol() throws Exception {
        assertThat(NativeLibrary.PROTOCOL).isEqualTo("io.threadclock protocol 14");
        assertThat(natives())
                .as("natives: where they differ, NativeLibrary and java_clock.c need the next number, and this list it")
                .isEqualTo(OF_PROTOCOL_13);
    }

    private static List<String> natives() throws IOException, URISyntaxException {
        Path classes = Path.of(NativeLibrary.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.list(classes.resolve("io/threadclock"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
                    .flatMap(file -> nativesOf(file.substring(0, file.length() - ".class".length())))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private static Stream<String> nativesOf(String type) {
        try {
            return Arrays.stream(Class.forName("io.threadclock." + type, false, NativeLibrary.class.getClassLoader())
                            .getDeclaredMethods())
                    .filter(method -> Modifier.isNative(method.getModifiers()))
                    .map(NativeLibraryTest::signature);
        } catch (ClassNotFoundException none) {
            throw new AssertionError(type + " is a file, and no class", none);
        }
    }

    private static String signature(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + parameters + ": "
                + method.getReturnType().getSimpleName();
    }
}
