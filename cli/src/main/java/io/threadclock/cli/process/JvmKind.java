// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.function.Predicate;
import java.util.function.Supplier;

/** The kind of JVM in a process, told by the libraries that it has mapped. */
public enum JvmKind {
    HOTSPOT,
    OPENJ9,
    NATIVE_IMAGE,
    NONE;

    /**
     * The section in which the compiler of native images puts the objects that exist at start-up. Stripping leaves it.
     */
    private static final String IMAGE_HEAP = ".svm_heap";

    /** OpenJ9 comes first, because it has a libjvm.so as well, which only leads to its own library. */
    static JvmKind of(Predicate<Predicate<String>> runs, Supplier<ElfFile> program) {
        if (runs.test(name -> name.startsWith("libj9vm"))) {
            return OPENJ9;
        }
        if (runs.test("libjvm.so"::equals)) {
            return HOTSPOT;
        }
        return program.get().sections().contains(IMAGE_HEAP) ? NATIVE_IMAGE : NONE;
    }
}
