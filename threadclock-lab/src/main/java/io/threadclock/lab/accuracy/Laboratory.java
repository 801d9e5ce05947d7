// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.accuracy;

import io.threadclock.lab.NativeMake;
import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.Origin;
import io.threadclock.harness.LoadAverage;
import io.threadclock.harness.Machine;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code make accuracy} of the native library, which says itself how it gets on. */
final class Laboratory {
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
        LaboratoryOutput output =
                LaboratoryOutput.parse(new NativeMake(home).output(Redirect.INHERIT, "accuracy", options));
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
        Origin origin = Origin.of(Machine.current(), command, startedAt, seconds, load, List.of());
        return new AccuracyResults(AccuracyResults.FORMAT, origin, output.figures(), output.notes());
    }
}
