// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.MemoryParts;
import io.threadclock.lab.results.Results;
import java.util.List;

/** What the library takes in memory, by the number of threads that read. */
record Memory(Results results, String jdk, List<Double> threads) {
    static Memory of(Results results) {
        List<String> jdks = results.each(Benchmarks.MEMORY, subject -> subject.jdk());
        return new Memory(
                results,
                jdks.isEmpty() ? "" : jdks.get(0),
                results.each(Benchmarks.MEMORY, subject -> subject.parameter()));
    }

    double few() {
        return threads.get(0);
    }

    double many() {
        return threads.get(threads.size() - 1);
    }

    long bytes(String part, double readingThreads) {
        Contest contest = new Contest(results, Benchmarks.MEMORY, jdk, part, readingThreads);
        return contest.find(Contest.THREADCLOCK)
                .map(series -> (long) series.spread().median())
                .orElse(0L);
    }

    /** What the process would not use without the library. */
    long ownBytes(double readingThreads) {
        return MemoryParts.OWN.stream()
                .mapToLong(part -> bytes(part, readingThreads))
                .sum();
    }

    double bytesPerThread() {
        return (ownBytes(many()) - ownBytes(few())) / (many() - few());
    }

    String runtime() {
        return results.origin().runtimes().stream()
                .filter(each -> each.version().equals(jdk))
                .findFirst()
                .map(each -> "Source " + each.source() + ", on " + each)
                .orElse("On JDK " + jdk);
    }
}
