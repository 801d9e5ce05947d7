// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.accuracy;

import io.threadclock.lab.NativeMake;
import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.lab.results.Origin;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.Machine;
import io.threadclock.harness.SetupException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code make accuracy} of the native library, which says itself how it gets on. */
final class Laboratory {
    private static final String NOTE = "#";

    private final Path home;

    /** @param home the checkout */
    Laboratory(Path home) {
        this.home = home;
    }

    /**
     * @param command as it was typed
     * @throws io.threadclock.harness.SetupException if it cannot be built, or does not say what it measured
     */
    AccuracyResults measure(boolean quick, String command) {
        String startedAt = OffsetDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString();
        long beginNs = System.nanoTime();
        String load = LoadAverage.before().toString();
        String options = "OPTIONS=" + (quick ? "--quick" : "");
        String printed = new NativeMake(home).output(Redirect.INHERIT, "accuracy", options);
        List<ErrorFigure> figures = figuresIn(printed);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
        Origin origin = Origin.of(Machine.current(), command, startedAt, seconds, load, List.of());
        return new AccuracyResults(AccuracyResults.FORMAT, origin, figures, notesIn(printed));
    }

    /** @throws SetupException if there is none, or one is cut off */
    static List<ErrorFigure> figuresIn(String printed) {
        try {
            List<ErrorFigure> figures = Exchange.answersIn(printed, ErrorFigure.class);
            if (!figures.isEmpty()) {
                return figures;
            }
        } catch (IllegalArgumentException garbled) {
            throw unusable(garbled.getMessage(), garbled);
        }
        throw unusable(printed.lines().reduce("nothing", (first, second) -> second), null);
    }

    /** Refusals, and how it calibrated itself. */
    static List<String> notesIn(String printed) {
        return printed.lines()
                .filter(line -> line.startsWith(NOTE))
                .map(line -> line.substring(NOTE.length()).strip())
                .toList();
    }

    private static SetupException unusable(String line, Throwable cause) {
        return new SetupException(
                "Running make -C threadclock-native accuracy: it printed \"" + line
                        + "\" where a figure was to be. Run it by hand to see all of it.",
                cause);
    }
}
