// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.Printable;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Names JVMs by their programs, so that a program that is restarted has its name again. If several JVMs run it, the second
 * is {@code program-2}, and so on; one that starts gets the first name that is free.
 */
final class JvmLabels {
    private final Set<String> taken = new HashSet<>();

    String take(String program) {
        String name = Printable.line(program.substring(0, Math.min(Bounds.JVM_LABEL_CHARACTERS, program.length())));
        String label = IntStream.iterate(1, number -> number + 1)
                .mapToObj(number -> number == 1 ? name : name + "-" + number)
                .filter(free -> !taken.contains(free))
                .findFirst()
                .orElseThrow();
        taken.add(label);
        return label;
    }

    void giveBack(String label) {
        taken.remove(label);
    }
}
