// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.Refusal;
import java.nio.file.Path;

/** The native library's examination of this machine; {@code jvm/examination.h} explains its lines. */
public final class NativeExamination {
    private NativeExamination() {}

    /**
     * Examines the machine in this process, with this library. Takes about 0.2 s.
     *
     * @throws Refusal if the library cannot be loaded, or is another version's
     */
    public static Examination by(Path library) {
        try {
            System.load(library.toString());
            return Examination.parse(text());
        } catch (UnsatisfiedLinkError refused) {
            throw new Refusal(
                    "loading " + library,
                    "doctor cannot use it, " + refused.getMessage(),
                    "Use the library that comes with this command.");
        }
    }

    private static native String text();
}
