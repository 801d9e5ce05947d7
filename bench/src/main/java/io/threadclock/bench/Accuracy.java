// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.harness.EndingException;
import io.threadclock.harness.SetupException;
import java.util.ArrayList;
import java.util.List;

/** {@code ./threadclock accuracy}: threads by a program in C, virtual threads by {@link Segments}. */
final class Accuracy {
    private static final int BROKEN = 1;
    /** From here on, a signal has ended the program: Ctrl-C ends both processes. */
    private static final int SIGNAL = 128;

    private Accuracy() {}

    public static void main(String[] arguments) throws Exception {
        Options.run("accuracy", arguments, options -> {
            List<String> others = new ArrayList<>(options.rest());
            boolean isBurstsAlone = others.remove("--bursts");
            boolean isVirtualAlone = others.remove("--virtual");
            boolean areKept = isBurstsAlone || isVirtualAlone || measureThreads(options.isQuick(), others);
            if (others.isEmpty() && !isVirtualAlone) {
                areKept &= Bursts.measure(options.jdks(Options.OLDEST_FEATURE), options.isQuick());
            }
            return (!others.isEmpty() || isBurstsAlone || measureVirtual(options)) && areKept;
        });
    }

    /** A machine without virtual threads must not lose the other figures. */
    private static boolean measureVirtual(Options options) {
        try {
            return Segments.measure(options.jdks(Options.OLDEST_WITH_VIRTUAL), options.isQuick());
        } catch (SetupException none) {
            if (!options.features().isEmpty()) {
                throw none;
            }
            System.out.println("Virtual threads were not measured. " + none.getMessage());
            return true;
        }
    }

    /** The program prints the errors, and judges. It takes the other options. */
    private static boolean measureThreads(boolean isQuick, List<String> others) throws Exception {
        List<String> command = new ArrayList<>(List.of(Options.built("accuracy").toString()));
        command.addAll(isQuick ? List.of("--quick") : List.of());
        command.addAll(others);
        Process program = new ProcessBuilder(command).inheritIO().start();
        // It waits for a child of its own before it ends.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            program.destroy();
            program.descendants().forEach(ProcessHandle::destroy);
        }));
        int status = program.waitFor();
        if (status > SIGNAL) {
            throw new EndingException();
        }
        if (status > BROKEN) {
            throw new IllegalArgumentException("refused by bench/build/accuracy.");
        }
        return status == 0;
    }
}
