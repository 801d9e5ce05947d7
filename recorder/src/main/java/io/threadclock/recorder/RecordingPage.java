// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A recording as one HTML file that needs neither a network nor another file. */
public final class RecordingPage {
    private static final int MOST_OF_NAME = 200;
    private static final double NS_PER_US = 1000;
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

    private final Timeline recorded;
    private final List<String> jvms;
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * @param window a time as the page shows it, for instance {@code 2026-11-21 20:15:00 UTC;10m}; empty: all
     * @throws StoreFailure if nothing was recorded then
     */
    public RecordingPage(RecordingReader reading, String window) {
        recorded = new Timeline(reading, window);
        if (recorded.isEmpty()) {
            throw new StoreFailure(
                    "making a report" + (window.isEmpty() ? "" : " of " + window),
                    "there are no two samples",
                    "Record for longer" + (window.isEmpty() ? "." : ", or name another time by --in."));
        }
        jvms = new ArrayList<>(recorded.jvms().keySet());
    }

    /**
     * Writes the page completely or not at all.
     *
     * @throws StoreFailure if it cannot be written
     */
    public void write(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            Path draft = Files.createTempFile(Files.createDirectories(folder), "report", ".html");
            try {
                Files.writeString(draft, toHtml());
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
                Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException failure) {
            throw new StoreFailure("writing " + file, failure.toString(), "Name another file by --output.");
        }
    }

    /** A sentence for the user. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%,d samples of %s in %.0f s, in slots of %s; %d series, %d gaps",
                recorded.samples(),
                jvms.size() == 1
                        ? recorded.jvms().get(jvms.get(0)).program() + " (" + recorded.threadsOf(jvms.get(0)) + ")"
                        : jvms.size() + " JVMs",
                (recorded.endUs() - recorded.beginUs()) / 1e6,
                recorded.slotUs() < 1_000_000 ? recorded.slotUs() / 1000 + " ms" : recorded.slotUs() / 1_000_000 + " s",
                recorded.threads().size()
                        + recorded.virtualPools().size()
                        + recorded.rests().size(),
                recorded.gaps().size());
    }

    /** Inserts the data last, because a thread's name may look like the placeholder of another part. */
    String toHtml() {
        String page = resource("report.html")
                .replace("/*STYLE*/", resource("report.css"))
                .replace("/*TABLE*/", resource("table.js"))
                .replace("/*CHART*/", resource("chart.js"))
                .replace("/*SCRIPT*/", resource("report.js"));
        return page.replace("/*SCRIPTS*/", hashes(page)).replace("/*DATA*/", json());
    }

    /** The hashes of the page's own scripts, the only ones that a browser then runs. */
    private static String hashes(String page) {
        return SCRIPT.matcher(page)
                .results()
                .map(script -> "'sha256-" + Base64.getEncoder().encodeToString(sha256(script.group(1))) + "'")
                .collect(Collectors.joining(" "));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("each JDK has it", impossible);
        }
    }

    /** Escaped for a script element, which no text in it may end. */
    private String json() {
        ObjectNode page = mapper.createObjectNode();
        ArrayNode stretches = page.putArray("stretches");
        recorded.stretches()
                .forEach((slot, us) -> stretches.addArray().add(slot).add(us / 1000));
        page.put("slotMs", recorded.slotUs() / 1000);
        page.put("slots", recorded.slots());
        page.put("samples", recorded.samples());
        page.put("mostThreads", Timeline.MOST_SHOWN);
        page.put("hasWaiting", recorded.hasWaiting());
        page.putPOJO("jvms", jvms.stream().map(this::jvmNode).toList());
        page.putPOJO("threads", recorded.threads().stream().map(this::node).toList());
        page.putPOJO(
                "virtualPools",
                recorded.virtualPools().stream().map(this::virtualNode).toList());
        page.putPOJO("rests", recorded.rests().stream().map(this::virtualNode).toList());
        page.putPOJO("processes", recorded.processes().stream().map(this::node).toList());
        page.putPOJO("gaps", recorded.gaps().stream().map(this::node).toList());
        page.putPOJO(
                "throttling", recorded.throttling().stream().map(this::node).toList());
        try {
            return mapper.writeValueAsString(page)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values", impossible);
        }
    }

    private ObjectNode jvmNode(String key) {
        JvmName jvm = recorded.jvms().get(key);
        ObjectNode node = mapper.createObjectNode();
        node.put("program", jvm.program());
        node.put("host", jvm.host());
        node.put("pid", jvm.pid());
        node.put("threads", recorded.threadsOf(key).toString());
        ArrayNode ranges = node.putArray("covered");
        BitSet covered = recorded.covered(key);
        for (int from = covered.nextSetBit(0); from >= 0; from = covered.nextSetBit(covered.nextClearBit(from))) {
            ranges.addArray().add(from).add(covered.nextClearBit(from));
        }
        return node;
    }

    /** Times in µs. */
    private ObjectNode node(CostSeries series) {
        ObjectNode node = mapper.createObjectNode();
        node.put("jvm", jvms.indexOf(series.jvm()));
        node.put("name", cut(series.name()));
        node.put("pool", cut(series.pool()));
        node.put("kind", series.kind());
        node.put("tid", series.tid());
        node.put("threads", series.threads().get());
        ArrayNode at = node.putArray("at");
        ArrayNode user = node.putArray("user");
        ArrayNode system = node.putArray("system");
        series.slots().forEach((slot, times) -> {
            at.add(slot);
            user.add(Math.round(times[0] / NS_PER_US));
            system.add(Math.round(times[1] / NS_PER_US));
        });
        ArrayNode waitsAt = node.putArray("waitsAt");
        ArrayNode waiting = node.putArray("waiting");
        series.waits().forEach((slot, waitingNs) -> {
            waitsAt.add(slot);
            waiting.add(Math.round(waitingNs / NS_PER_US));
        });
        ArrayNode untold = node.putArray("untoldWaits");
        series.untoldWaits().stream().forEach(untold::add);
        return node;
    }

    private ObjectNode virtualNode(CostSeries series) {
        ObjectNode node = node(series);
        ArrayNode mounts = node.putArray("mounts");
        series.slots().values().forEach(cost -> mounts.add(Math.round(cost[2] * 1000) / 1000.0));
        return node;
    }

    /** A thread's name may be very long. Half a surrogate pair could not be written. */
    private static String cut(String name) {
        if (name.length() <= MOST_OF_NAME) {
            return name;
        }
        boolean isWithinCharacter = Character.isHighSurrogate(name.charAt(MOST_OF_NAME - 1));
        return name.substring(0, isWithinCharacter ? MOST_OF_NAME - 1 : MOST_OF_NAME) + "…";
    }

    private ObjectNode node(Gap gap) {
        return mapper.createObjectNode()
                .put("fromMs", gap.beginUs() / 1000)
                .put("toMs", gap.endUs() / 1000)
                .put("reason", gap.reason().toString().replace('_', ' '))
                .put("lostSamples", gap.lostSamples());
    }

    private ObjectNode node(Throttling time) {
        return mapper.createObjectNode()
                .put("jvm", List.copyOf(recorded.jvms().values()).indexOf(time.jvm()))
                .put("fromMs", time.beginUs() / 1000)
                .put("toMs", time.endUs() / 1000)
                .put("quota", time.milliCpus() / 1000.0)
                .put("periods", time.periods())
                .put("throttledPeriods", time.throttledPeriods())
                .put("throttledMs", time.throttledNs() / 1_000_000);
    }

    private static String resource(String name) {
        try (InputStream in = RecordingPage.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
