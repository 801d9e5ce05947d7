// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.program.Breaches.Breach;
import io.threadclock.lab.program.Breaches.Counts;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The observations of a soak on one JDK so far. Thread-safe. */
final class SoakResult {
    /** A JVM's own memory, malloc's and the compiled code, varies by more than a leak would add. */
    static final long RESIDENT_SLACK_BYTES = 8 << 20;

    static final String MINUTES = "minutes";

    private static final long MS_PER_TENTH = TimeUnit.MINUTES.toMillis(1) / 10;
    private static final long BYTES_PER_KB = 1024;
    private static final Pattern DEMOTIONS =
            Pattern.compile("threadclock: demotions (\\d+), threads now (\\d+), others' records (\\d+)");

    private final String jdk;
    private final long directoryBytes;
    private final List<ProcessLook> looks = new ArrayList<>();
    private final Set<Integer> detachmentsAtRest = new HashSet<>();
    private List<Long> records = List.of();
    private final List<String> notes = new ArrayList<>();
    private Counts counts = Counts.none();
    private long elapsedMs;
    private long attachments;
    private int detachments;
    private long refusals;
    private long crashes;
    private long demotions;

    /**
     * @param directoryBytes the greatest size of the library's directory of tids, which has a word for each and keeps
     *     them
     */
    SoakResult(String jdk, long directoryBytes) {
        this.jdk = jdk;
        this.directoryBytes = directoryBytes;
    }

    String jdk() {
        return jdk;
    }

    synchronized void counted(Counts now, long nowElapsedMs) {
        counts = now;
        elapsedMs = nowElapsedMs;
    }

    synchronized void looked(ProcessLook look) {
        looks.add(look);
    }

    synchronized void attached() {
        attachments++;
    }

    /** Notes the answer of the agent or the attach command, which had to succeed. */
    synchronized void refused(String answer) {
        refusals++;
        notes.add(answer);
    }

    synchronized void crashed(String lastWords) {
        crashes++;
        notes.add(lastWords);
    }

    synchronized void note(String text) {
        notes.add(text);
    }

    /** If all threads rest, the records that the agent reports belong to threads that stay. */
    synchronized void detached(boolean atRest) {
        if (atRest) {
            detachmentsAtRest.add(detachments);
        }
        detachments++;
    }

    /** All that the JVM has written to standard error: the agent's statistics, one for each detachment, are in it. */
    synchronized void told(List<String> stderrLines) {
        List<Matcher> told = stderrLines.stream()
                .map(DEMOTIONS::matcher)
                .filter(Matcher::matches)
                .toList();
        demotions = told.stream()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .max()
                .orElse(0);
        records = IntStream.range(0, told.size())
                .filter(detachmentsAtRest::contains)
                .mapToObj(i -> Long.parseLong(told.get(i).group(2))
                        + Long.parseLong(told.get(i).group(3)))
                .toList();
    }

    synchronized Counts counts() {
        return counts;
    }

    synchronized long elapsedMs() {
        return elapsedMs;
    }

    synchronized List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        counts.firsts().forEach((breach, detail) -> all.add(breach + ": " + detail));
        if (looks.size() < Growth.FEWEST) {
            all.add("too short to tell what grows: " + looks.size() + " looks, and " + Growth.FEWEST + " are needed");
        }
        return all;
    }

    static Subject subject(String jdk, String quantity) {
        return new Subject(Benchmarks.SOAK, jdk, Contest.THREADCLOCK, quantity, null);
    }

    /** The time, the amount of work, and all counts that must be 0. */
    synchronized List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        double minutes = Math.round((double) elapsedMs / MS_PER_TENTH) / 10.0;
        all.add(Measurement.of(subject(jdk, MINUTES), MINUTES, List.of(minutes)));
        amounts().forEach((amount, count) -> all.add(measurement(amount, count, null)));
        faults().forEach((fault, count) -> all.add(measurement(fault, count, 0.0)));
        return all;
    }

    private Measurement measurement(String quantity, double count, Double most) {
        return new Measurement(subject(jdk, quantity), "1", List.of(count), 0, Map.of(), most);
    }

    /** The amount of work, by name. */
    synchronized Map<String, Long> amounts() {
        Map<String, Long> amounts = new LinkedHashMap<>();
        amounts.put("readings judged", counts.readings());
        amounts.put("… in which, or before which, the thread was switched out", counts.switches());
        amounts.put("times attached to", attachments);
        amounts.put("looks at what the process holds", (long) looks.size());
        amounts.put("memory at the end, kB", looks.isEmpty() ? 0 : last(ProcessLook::residentBytes) / BYTES_PER_KB);
        amounts.put(
                "of it records and their directory, kB",
                looks.isEmpty() ? 0 : last(ProcessLook::recordBytes) / BYTES_PER_KB);
        return amounts;
    }

    /** All counts that must be 0, by name. */
    synchronized Map<String, Long> faults() {
        Map<String, Long> faults = new LinkedHashMap<>();
        for (Breach breach : Breach.values()) {
            faults.put(breach.toString(), counts.of(breach));
        }
        faults.put("demotions of a source", demotions);
        faults.put("attach or detach refused", refusals);
        faults.put("JVM crashes", crashes);
        faults.put("more open files", growth(ProcessLook::descriptors));
        faults.put("more threads", growth(ProcessLook::threads));
        faults.put("more mappings of the library's kinds", growth(ProcessLook::mappings));
        faults.put("more records", Growth.of(records));
        faults.put("more memory of records, kB", growthKb(ProcessLook::recordBytes, directoryBytes));
        faults.put("more memory of the process, kB", growthKb(ProcessLook::residentBytes, RESIDENT_SLACK_BYTES));
        return faults;
    }

    private long growth(ToLongFunction<ProcessLook> figure) {
        return Growth.of(looks.stream().map(figure::applyAsLong).toList());
    }

    private long growthKb(ToLongFunction<ProcessLook> figure, long slackBytes) {
        long bytes = growth(figure);
        return bytes <= slackBytes ? 0 : bytes / BYTES_PER_KB;
    }

    private long last(ToLongFunction<ProcessLook> figure) {
        return figure.applyAsLong(looks.get(looks.size() - 1));
    }

    /**
     * Whether something has grown over the second half of a soak. A value that varies is not a leak. The growth is the
     * difference of the least value of that half's last third and the greatest of its first.
     */
    static final class Growth {
        /** A last or first third of a half is one of this many parts of the soak. */
        private static final int SIXTHS = 6;
        /** Two values in each part, because a single one does not show whether it varies. */
        static final int FEWEST = 2 * SIXTHS;

        private Growth() {}

        /** Returns 0 if it has not grown, or there are too few values. */
        static long of(List<Long> figures) {
            if (figures.size() < FEWEST) {
                return 0;
            }
            int sixth = figures.size() / SIXTHS;
            int half = figures.size() - 3 * sixth;
            List<Long> first = figures.subList(half, half + sixth);
            List<Long> last = figures.subList(figures.size() - sixth, figures.size());
            long most = first.stream().mapToLong(Long::longValue).max().orElseThrow();
            long least = last.stream().mapToLong(Long::longValue).min().orElseThrow();
            return Math.max(0, least - most);
        }
    }
}
