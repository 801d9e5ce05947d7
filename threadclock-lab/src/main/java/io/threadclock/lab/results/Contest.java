// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.Optional;

/** Figures of a run that differ in the contender alone. */
public record Contest(Results results, String benchmark, String jdk, String quantity, Double parameter) {
    public static final String STOCK = "stock";
    public static final String THREADCLOCK = "threadclock";
    /** threadclock, loaded when the JVM started. */
    public static final String AGENTPATH = "-agentpath";
    /** threadclock, loaded into the JVM as it ran. */
    public static final String ATTACHED = "attached";
    /** Virtual threads that the library accounts. */
    public static final String ACCOUNTED = "accounted";
    /** Virtual threads that the agent accounts, by the constructor that it has changed. */
    public static final String BY_AGENT = "by the agent";
    /** The same, where JVMTI does not slow them. */
    public static final String BY_RUN = "by run --virtual";
    /** Virtual threads of a JVM whose agent reads the clock at each of their mounts and unmounts. */
    public static final String MOUNT_EVENTS = "JVMTI mount events";
    /** A program into which the library is preloaded. */
    public static final String PRELOADED = "preloaded";
    /** The clocks that a virtual thread's unit of work is measured by. */
    public static final String ACCOUNT = "account";

    public static final String MOUNTED = "mounted wall time";
    public static final String CARRIERS = "carriers, by the kernel";

    /** One that has no parameter. */
    public Contest(Results results, String benchmark, String jdk, String quantity) {
        this(results, benchmark, jdk, quantity, null);
    }

    public Optional<Measurement> find(String contender) {
        return results.find(subject(contender)).filter(Measurement::hasRounds);
    }

    public boolean has(String contender) {
        return find(contender).isPresent();
    }

    /** @throws IllegalArgumentException if that contender was not measured */
    public Measurement of(String contender) {
        return find(contender).orElseThrow(() -> new IllegalArgumentException("not measured: " + subject(contender)));
    }

    public Spread spread(String contender) {
        return of(contender).spread();
    }

    /** How many times less than stock it takes. */
    public Spread gain(String contender) {
        return of(STOCK).ratioTo(of(contender));
    }

    /** How many times what stock takes. */
    public Spread timesStock(String contender) {
        return of(contender).ratioTo(of(STOCK));
    }

    /** How much more than stock it takes. */
    public Spread beyondStock(String contender) {
        return of(contender).less(of(STOCK)).spread();
    }

    private Subject subject(String contender) {
        return new Subject(benchmark, jdk, contender, quantity, parameter);
    }
}
