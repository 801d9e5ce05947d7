// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.threadclock.cli.process.Printer;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.SampleSink;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The messages of a recording. Its progress goes to standard error: on a terminal one line that is overwritten again
 * and again, elsewhere a line when there is trouble. Its end is a message, too.
 */
public final class RecordingMessages {
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long TROUBLE_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

    private final JvmName jvm;
    private final SampleSink sink;
    private final Printer out;
    private final Printer err;
    private final Optional<StatusLine> terminal;
    private final LongSupplier ns;
    private long saidNs;
    private boolean isTrouble;
    private int rate;

    public RecordingMessages(JvmName jvm, SampleSink sink, Printer out, Printer err) {
        this(jvm, sink, out, err, StatusLine.onTerminal(err), System::nanoTime);
    }

    RecordingMessages(
            JvmName jvm, SampleSink sink, Printer out, Printer err, Optional<StatusLine> terminal, LongSupplier ns) {
        this.jvm = jvm;
        this.sink = sink;
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.ns = ns;
    }

    /**
     * @param rate samples a second
     * @param asked what was asked for, which may be more
     * @param place where the recording is stored, as the end of a sentence
     */
    public void begin(int rate, int asked, String place) {
        say(String.format(
                Locale.ROOT,
                "recording %s (%d) %d times a second%s %s; Ctrl-C ends it",
                jvm.program(),
                jvm.pid(),
                rate,
                rate == asked ? "" : ", as often as it can be read, not " + asked + ",",
                place));
        this.rate = rate;
        saidNs = ns.getAsLong() - EVERY_NS;
    }

    public void progress(Recording.Progress now) {
        String trouble = sink.trouble();
        long sinceNs = ns.getAsLong() - saidNs;
        if (terminal.isPresent() && sinceNs >= EVERY_NS) {
            terminal.get().print((trouble.isEmpty() ? "" : trouble + "; ") + line(now));
            saidNs = ns.getAsLong();
        } else if (terminal.isEmpty() && (isTrouble == trouble.isEmpty() || isTrouble && sinceNs >= TROUBLE_EVERY_NS)) {
            say(trouble.isEmpty() ? "samples are taken again: " + sink.status() : trouble);
            isTrouble = !trouble.isEmpty();
            saidNs = ns.getAsLong();
        }
    }

    private void say(String text) {
        err.println("threadclock: " + text);
    }

    /** Call this after the sink has been closed. */
    public void end(Recording.Progress last, boolean json) {
        if (terminal.isPresent()) {
            terminal.get().erase();
        }
        if (json) {
            out.json(node(last));
        } else {
            out.println("recorded " + line(last));
        }
    }

    private String line(Recording.Progress now) {
        return String.format(
                Locale.ROOT,
                "%s (%d) for %.0f s: %,d samples, %s, %s, %s%s; looking took %.2f %% of a core",
                jvm.program(),
                jvm.pid(),
                now.seconds(),
                now.samples(),
                now.threads(),
                gaps(now),
                sink.status(),
                now.end().isEmpty() ? "" : "; " + now.end(),
                100 * now.viewUsageRatio());
    }

    private static String gaps(Recording.Progress now) {
        return now.gaps() == 0
                ? "no gap"
                : String.format(
                        Locale.ROOT, "%,d gap%s (%,d missed)", now.gaps(), now.gaps() == 1 ? "" : "s", now.lost());
    }

    private String node(Recording.Progress last) {
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.put("jvm", jvm.key());
        node.put("seconds", last.seconds());
        node.put("rate", rate);
        node.put("samples", last.samples());
        node.put("threads", last.threads().atOnce());
        node.put("threadsThatUsedCpu", last.threads().used());
        node.put("gaps", last.gaps());
        node.put("missedSamples", last.lost());
        node.put("lostSamples", sink.lostSamples());
        node.put("bytes", sink.bytes());
        node.put("viewUsageRatio", last.viewUsageRatio());
        node.put("end", last.end());
        return node.toString();
    }
}
