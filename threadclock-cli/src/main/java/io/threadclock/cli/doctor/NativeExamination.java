// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.Refusal;
import java.nio.file.Path;

/** The examination of this machine by libthreadclock-doctor.so; {@code doctor/examination.h} explains its lines. */
public final class NativeExamination {
    private static final String NAME = "libthreadclock-doctor.so";

    private NativeExamination() {}

    /**
     * Examines the machine in this process, with the file beside this library. Takes about 0.2 s.
     *
     * @throws Refusal if the library cannot be loaded, or is another version's
     */
    public static Examination by(Path library) {
        Path own = library.resolveSibling(NAME);
        try {
            System.load(own.toString());
            return Examination.parse(text());
        } catch (UnsatisfiedLinkError refused) {
            throw new Refusal(
                    "loading " + own,
                    "doctor cannot use it, " + refused.getMessage(),
                    "Use the library that comes with this command.");
        }
    }

    private static native String text();
}
