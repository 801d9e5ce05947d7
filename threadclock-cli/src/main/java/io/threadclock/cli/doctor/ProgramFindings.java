// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.attach.PreloadFile;
import io.threadclock.cli.process.ElfFile;
import io.threadclock.cli.process.Target;

/** The finding on a program that is no JVM: whether the clock is preloaded into it. */
final class ProgramFindings {
    private static final String SUBJECT = "preload";

    private ProgramFindings() {}

    static Finding preload(Target target) {
        if (target.files().memoryMap().has(PreloadFile.NAME::equals)) {
            return Finding.of(Level.GREEN, SUBJECT, PreloadFile.NAME + " answers what it asks libc of thread clocks");
        }
        ElfFile program = target.files().executable();
        if (program.bits() == 32) {
            return Finding.of(Level.NONE, SUBJECT, "it is a 32-bit program, which there is no library for");
        }
        if (program.isStatic()) {
            return Finding.of(Level.NONE, SUBJECT, "it is static: no library can be preloaded into it");
        }
        if (target.files().isSecure()) {
            return new Finding(
                    Level.NONE,
                    SUBJECT,
                    "it has got rights that its caller had not (setuid, setgid, capabilities), and so ignores LD_PRELOAD",
                    "If it asks often, start it as the user whose rights it needs, without them.");
        }
        return new Finding(
                Level.NONE,
                SUBJECT,
                "what it asks of thread clocks is answered by the kernel",
                "If it asks often, start it by threadclock run --preload -- PROGRAM.");
    }
}
