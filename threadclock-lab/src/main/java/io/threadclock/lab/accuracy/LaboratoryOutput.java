// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.accuracy;

import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.harness.SetupException;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code make accuracy} prints: a figure a line, its parts between tabs; comments begin with a number sign, and
 * what make says of its building is indented.
 *
 * @param notes the comments
 */
record LaboratoryOutput(List<ErrorFigure> figures, List<String> notes) {
    private static final String COMMENT = "#";
    private static final String BUILDING = "  ";
    private static final int PARTS = 7;

    /**
     * @throws SetupException if there is no figure in it, or a line is cut off
     */
    static LaboratoryOutput parse(String output) {
        List<ErrorFigure> figures = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        output.lines().filter(line -> !line.isBlank() && !line.startsWith(BUILDING)).forEach(line -> {
            if (line.startsWith(COMMENT)) {
                notes.add(line.substring(COMMENT.length()).strip());
            } else {
                figures.add(figure(line));
            }
        });
        if (figures.isEmpty()) {
            throw unusable(output.lines().reduce("nothing", (first, second) -> second), null);
        }
        return new LaboratoryOutput(figures, notes);
    }

    private static ErrorFigure figure(String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length != PARTS) {
            throw unusable(line, null);
        }
        try {
            double amount = Double.parseDouble(parts[5]);
            long errors = Long.parseLong(parts[6]);
            return new ErrorFigure(parts[0], parts[1], parts[2], parts[3], parts[4], amount, errors);
        } catch (NumberFormatException garbled) {
            throw unusable(line, garbled);
        }
    }

    private static SetupException unusable(String line, Throwable cause) {
        return new SetupException(
                "Running make -C threadclock-native accuracy: it printed \"" + line
                        + "\" where a figure was to be. Run it by hand to see all of it.",
                cause);
    }
}
