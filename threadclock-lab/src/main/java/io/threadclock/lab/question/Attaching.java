// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.ChildResult;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.contender.LateAgent;
import io.threadclock.lab.program.Population;
import io.threadclock.lab.program.Population.Deed;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long does it take to attach? The JVMs have not been attached to before and have not used ThreadMXBean yet, which
 * is the slowest case.
 */
public record Attaching(Session session) {
    private static final int MANY_THREADS = 5000;

    private static final Pattern SAID = Pattern.compile("attached to process \\d+ .* in (\\d+) ms.*", Pattern.DOTALL);

    public void measure() {
        session.stage("attaching");
        LateAgent late = new LateAgent(session.agent());
        measure(Contest.ATTACHED, 0, late::attachTo);
        measure(Contest.ATTACHED, MANY_THREADS, late::attachTo);
        measure("attach command", MANY_THREADS, this::attachByCommand);
    }

    private void measure(String contender, int threads, LongToDoubleFunction msToAttachTo) {
        for (int i = 0; i < session.plan().otherThreads().attachments(); i++) {
            try (Contenders jvm = session.start(List.of(Contender.STOCK), Population.class)) {
                jvm.ask(new Population.Request(Deed.NOTHING, threads));
                double ms = msToAttachTo.applyAsDouble(jvm.of(Contender.STOCK).pid());
                session.add(Benchmarks.ATTACH, contender, "attaching", threads, "ms", ms);
            }
        }
    }

    private double attachByCommand(long pid) {
        ChildResult result = new LateAgent(session.agent()).command(pid, "attach");
        return msSaidIn(result.stdout())
                .orElseThrow(() -> new SetupException("Running threadclock attach " + pid + ": it answered \""
                        + (result.stdout() + result.stderr()).strip()
                        + "\". Run it by hand on another JVM, then start the benchmark again."));
    }

    static Optional<Double> msSaidIn(String stdout) {
        Matcher said = SAID.matcher(stdout);
        return said.matches() ? Optional.of(Double.valueOf(said.group(1))) : Optional.empty();
    }
}
