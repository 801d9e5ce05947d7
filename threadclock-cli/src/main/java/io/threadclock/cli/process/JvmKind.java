// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

/** What runs in a process, told by the libraries it has mapped. */
public enum JvmKind {
    HOTSPOT,
    OPENJ9,
    NATIVE_IMAGE,
    NONE;

    /** Where the compiler of native images puts the objects that exist at start-up; stripping leaves it. */
    private static final String IMAGE_HEAP = ".svm_heap";

    /** OpenJ9 first: it comes with a libjvm.so as well, which only leads to its own. */
    static JvmKind of(MemoryMap map, ElfFile executable) {
        if (map.has(name -> name.startsWith("libj9vm"))) {
            return OPENJ9;
        }
        if (map.has("libjvm.so"::equals)) {
            return HOTSPOT;
        }
        return executable.sections().contains(IMAGE_HEAP) ? NATIVE_IMAGE : NONE;
    }
}
