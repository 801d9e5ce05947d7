// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.threadclock.recorder.JvmName;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What a recording says: how it goes on standard error, one line that is written over and over; and its end. */
public final class RecordingLines {
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);
    /** Writes the rest of the line away. */
    private static final String CLEAR = "\u001b[K";

    private final JvmName jvm;
    private final String place;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isTerminal = System.console() != null;
    private long saidNs = System.nanoTime() - EVERY_NS;

    /** @param place where it is kept, as a sentence ends with it */
    public RecordingLines(JvmName jvm, String place, PrintWriter out, PrintWriter err) {
        this.jvm = jvm;
        this.place = place;
        this.out = out;
        this.err = err;
    }

    public void begin(int rate) {
        err.printf("threadclock: recording %s (%s) %d times a second %s; Ctrl-C ends it%n", jvm.program(), jvm.pid(), rate, place);
        err.flush();
    }

    /** Where nobody sees it being written over, it is not written. */
    public void progress(Recording.Progress now) {
        if (isTerminal && System.nanoTime() - saidNs >= EVERY_NS) {
            saidNs = System.nanoTime();
            err.print("\r" + line(now) + CLEAR);
            err.flush();
        }
    }

    public void end(Recording.Progress last, boolean json) {
        if (isTerminal) {
            err.print("\r" + CLEAR);
            err.flush();
        }
        if (json) {
            out.println(node(last));
        } else {
            out.println("recorded " + line(last));
        }
        out.flush();
    }

    private String line(Recording.Progress now) {
        return String.format(
                Locale.ROOT,
                "%s (%d) for %.0f s: %,d samples, %d threads, %s, %s, looking took %.2f %% of a core%s",
                jvm.program(),
                jvm.pid(),
                now.seconds(),
                now.samples(),
                now.threads(),
                now.gaps() == 0 ? "no gap" : String.format(Locale.ROOT, "%,d gaps (%,d samples)", now.gaps(), now.lost()),
                now.sink(),
                100 * now.viewUsageRatio(),
                now.end().isEmpty() ? "" : "; " + now.end());
    }

    private String node(Recording.Progress last) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode node = mapper.createObjectNode();
        node.put("jvm", jvm.key());
        node.put("seconds", last.seconds());
        node.put("samples", last.samples());
        node.put("threads", last.threads());
        node.put("gaps", last.gaps());
        node.put("lostSamples", last.lost());
        node.put("viewUsageRatio", last.viewUsageRatio());
        node.put("end", last.end());
        try {
            return mapper.writeValueAsString(node);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values", impossible);
        }
    }
}
