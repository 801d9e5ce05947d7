// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.function.Predicate;
import java.util.function.Supplier;

/** What runs in a process, told by the libraries it has mapped. */
public enum JvmKind {
    HOTSPOT,
    OPENJ9,
    NATIVE_IMAGE,
    NONE;

    /** Where the compiler of native images puts the objects that exist at start-up; stripping leaves it. */
    private static final String IMAGE_HEAP = ".svm_heap";

    /** OpenJ9 first: it comes with a libjvm.so as well, which only leads to its own. */
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
