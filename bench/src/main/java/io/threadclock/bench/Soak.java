// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.EndingException;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code ./threadclock soak}: attaches to {@link SoakProgram}, looks at it and detaches, and counts what has to be 0.
 */
final class Soak {
    private static final int MOST_MINUTES = 24 * 60;
    private static final long ATTACHED_MS = 1000;
    private static final long STOCK_MS = 300;
    private static final long ENDING_MS = 1000; // Ctrl-C reaches all JVMs at once, and this one perhaps last
    private static final int SIXTHS = 6; // of a soak, each a third of one of its halves
    private static final int FEWEST_LOOKS = 2 * SIXTHS; // a single one in each part does not show whether it varies
    private static final String RECORDS_KB = "memory of records and their directory, kB";
    private static final String RESIDENT_KB = "memory of the process, kB";
    private static final List<String> FAULTS = new ArrayList<>(); // what was not 0, and on which JDK
    private static volatile boolean isEnding;
    /** A JVM's own memory, malloc's and the compiled code, varies by more than a leak would add. */
    private static final long RESIDENT_SLACK_KB = 8 << 10;
    /**
     * The whole heap is allocated from the start, so that growing memory is not the heap's; a crash leaves its report.
     */
    private static final List<String> JVM_OPTIONS = List.of(
            "-Xms512m", "-XX:+AlwaysPreTouch", "-XX:ErrorFile=" + Options.home().resolve(".build/soak-hs_err-%p.log"));
    /** Each of them for a while, one after the other; the last may be refused. */
    private final List<String> attachOptions =
            new ArrayList<>(List.of("", " --strict", " --source=clock", " --source=perf"));

    private final Path library = Child.agent().real().path();
    private final Jdk jdk;
    private final String split; // of all of them, because samples last until the JVM ends
    private final Progress progress;
    private final List<Map<String, Long>> looks = new ArrayList<>();
    private Child child;
    private long[] counts = new long[4 + Judge.Law.values().length]; // see SoakProgram.answer
    private long beginNs;
    private long attachments;
    private long refusals;
    private long crashes;

    private Soak(Jdk jdk, String split, Progress progress) {
        this.jdk = jdk;
        this.split = split;
        this.progress = progress;
    }

    public static void main(String[] arguments) throws Exception {
        Options.run("soak", arguments, options -> {
            String named = String.join(" ", options.rest()).replaceFirst("^--minutes=", "");
            int minutes = named.isEmpty() ? 30 : Options.number("--minutes", named);
            if (minutes < 1 || minutes > MOST_MINUTES) {
                throw new IllegalArgumentException("--minutes takes 1 to " + MOST_MINUTES + ", not " + minutes + ".");
            }
            // After Ctrl-C, what was counted so far is told as well.
            CompletableFuture<Void> told = new CompletableFuture<>();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                isEnding = true;
                told.completeOnTimeout(null, 9, TimeUnit.SECONDS).join();
            }));
            List<Jdk> jdks = options.oldestAndNewest(Options.OLDEST_FEATURE);
            try (Progress progress = Progress.onStderr()) {
                for (Jdk jdk : jdks) {
                    String split = jdk.equals(jdks.get(0)) ? "" : " --split=sampled:1ms";
                    new Soak(jdk, split, progress).run(TimeUnit.MINUTES.toMillis(minutes) / jdks.size());
                }
            } finally {
                told.complete(null);
            }
            System.out.println(FAULTS.isEmpty() ? "All that has to be 0 is 0." : "Not 0: " + String.join("; ", FAULTS));
            return FAULTS.isEmpty();
        });
    }

    private void run(long durationMs) throws InterruptedException, IOException {
        progress.stage(jdk + ": " + TimeUnit.MILLISECONDS.toSeconds(durationMs) + " s");
        try (Child started = Child.start(jdk, SoakProgram.class, JVM_OPTIONS, Child.folder("soak"))) {
            child = started;
            ask("begin"); // it answers when it has made the databases
            beginNs = System.nanoTime();
            // Ends at the end of a turn, whichever is nearest.
            for (int halves = 0; elapsedMs() + elapsedMs() / Math.max(1, halves) < durationMs; halves += 2) {
                attach();
                attach(); // other options
                look();
                ask("detaching");
                command("detach");
                look();
                Thread.sleep(STOCK_MS);
                progress.step("%d s, %,d readings".formatted(elapsedMs() / 1000, counts[0]));
            }
        } catch (SetupException | IOException ended) {
            tellUnlessEnding(ended.getMessage());
            crashes++;
        } finally {
            progress.clear();
            report();
        }
    }

    private void attach() throws InterruptedException {
        String options = attachOptions.remove(0);
        if (command("attach --stats" + split + options)) {
            attachOptions.add(options);
            attachments++;
            ask("attached");
            Thread.sleep(ATTACHED_MS);
        }
    }

    /**
     * Runs {@code threadclock attach} or {@code detach} on the program; false if it lacks the source that is asked for.
     */
    private boolean command(String line) throws InterruptedException {
        Path built = Options.home().resolve("cli/target");
        var result = ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData")
                .environment("THREADCLOCK_LIBRARY", library.toString())
                .classPath(List.of(built.resolve("threadclock-cli.jar"), built.resolve("lib/*")))
                .mainClass("io.threadclock.cli.ThreadClockCommand")
                .arguments((line + " " + child.pid()).split(" "))
                .run();
        if (result.exitStatus() == 0) {
            return true;
        }
        tellUnlessEnding(line + " ended with status " + result.exitStatus() + ": "
                + result.stderr().strip());
        boolean isLacking = result.stderr().contains("is refused there");
        refusals += isLacking ? 0 : 1;
        return !isLacking;
    }

    /** After Ctrl-C the children are gone, too, which is no fault. */
    private void tellUnlessEnding(String fault) throws InterruptedException {
        Thread.sleep(ENDING_MS);
        if (isEnding) {
            throw new EndingException();
        }
        progress.clear();
        System.out.println(jdk + ": " + fault);
    }

    /** Notes what the program holds while all its threads rest. */
    private void look() throws IOException {
        ask("rest");
        ask("collect");
        Path process = Path.of("/proc", Long.toString(child.pid()));
        Map<String, Long> held = new LinkedHashMap<>(Map.of("records", counts[counts.length - 1]));
        held.put("open files", entries(process.resolve("fd")));
        held.put("threads", entries(process.resolve("task")));
        String path = "";
        long kb = 0;
        for (String line : Files.readAllLines(process.resolve("smaps"))) {
            String[] words = line.split(" +", 6);
            if (words[0].equals("Rss:")) {
                kb = Long.parseLong(words[1]);
                held.merge(RESIDENT_KB, kb, Long::sum);
            } else if (words[0].equals("VmFlags:") && path.isEmpty() && line.contains(" wf")) {
                held.merge(RECORDS_KB, kb, Long::sum); // the library's are anonymous, and wiped on fork
            } else if (!words[0].endsWith(":")) {
                path = words.length == 6 ? words[5] : "";
                boolean isOurs = path.equals(library.toString()) || path.contains("anon_inode:[perf_event]");
                held.merge("mappings of the library's kinds", isOurs ? 1L : 0L, Long::sum);
            }
        }
        looks.add(held);
        ask("go-on");
    }

    private static long entries(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.count();
        }
    }

    /**
     * The growth over the second half of a soak: the difference of the least value of that half's last third and the
     * greatest of its first, because a value that varies is not a leak. 0 if that is within the slack, or there are too
     * few.
     */
    static long growth(List<Long> values, long slack) {
        if (values.size() < FEWEST_LOOKS) {
            return 0;
        }
        int sixth = values.size() / SIXTHS;
        int half = values.size() - 3 * sixth;
        long most = Collections.max(values.subList(half, half + sixth));
        long growth = Collections.min(values.subList(values.size() - sixth, values.size())) - most;
        return growth <= slack ? 0 : growth;
    }

    private long elapsedMs() {
        return beginNs == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }

    private void ask(String request) {
        String[] answer = child.ask(request).split(" ");
        counts = Stream.of(answer).mapToLong(Long::parseLong).toArray();
    }

    private void report() throws IOException {
        System.out.printf("%n%s on %s%n", jdk, Options.machine());
        tell("seconds", TimeUnit.MILLISECONDS.toSeconds(elapsedMs()), false);
        tell("readings judged", counts[0], false);
        tell("… in which, or before which, the thread was switched out", counts[1], false);
        tell("times attached to", attachments, false);
        tell("looks at what the process holds", looks.size(), false);
        for (Judge.Law law : Judge.Law.values()) {
            tell(law.breach, counts[2 + law.ordinal()], true);
        }
        tell("demotions of a source", counts[counts.length - 2], true);
        tell("attach or detach refused", refusals, true);
        tell("JVM crashes", crashes, true);
        // The directory from tid to record grows until each tid was given: docs/internals/clock.md.
        String tids = Files.readAllLines(Path.of("/proc/sys/kernel/pid_max")).get(0);
        var slackKb = Map.of(RECORDS_KB, Long.parseLong(tids) * Integer.BYTES / 1024, RESIDENT_KB, RESIDENT_SLACK_KB);
        Map<String, Long> last = looks.isEmpty() ? Map.of() : looks.get(looks.size() - 1);
        last.forEach((name, held) -> {
            tell(name + " at the end", held, false);
            List<Long> values = looks.stream().map(look -> look.get(name)).toList();
            tell("more " + name, growth(values, slackKb.getOrDefault(name, 0L)), true);
        });
        if (looks.size() < FEWEST_LOOKS) {
            System.out.println("  too short to tell what grows: fewer than " + FEWEST_LOOKS + " looks");
        }
        List<String> said = child == null ? List.of() : child.stderrLines();
        said.stream().filter(line -> line.startsWith(Judge.FIRST)).forEach(System.out::println);
        System.out.println();
    }

    private void tell(String name, long count, boolean hasToBeZero) {
        System.out.printf("  %-63s %,15d%n", name, count);
        if (hasToBeZero && count > 0) {
            FAULTS.add(name + ": " + count + " (" + jdk + ")");
        }
    }
}
