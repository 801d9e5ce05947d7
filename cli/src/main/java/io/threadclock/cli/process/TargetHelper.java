// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The helper of a process: started at first need, and again where it has ended, or the process has become another. */
final class TargetHelper {
    private static final Duration LOOK = Duration.ofSeconds(5);

    private Helper helper;
    private Facts facts;

    /**
     * What the helper tells of the process.
     *
     * @param socket whether the process listens; empty if the helper could not be asked
     * @param tmp the folder of HotSpot's files, as the process sees it
     * @param texts of the files that could be read
     * @param reason why it could not be asked
     */
    record Facts(Optional<HelperReply> socket, Path tmp, PerfData perfData, Map<Path, String> texts, String reason) {}

    synchronized Helper of(Target target) throws IOException {
        if (helper == null || !helper.serves(target)) {
            close();
            helper = Helper.start(target);
        }
        return helper;
    }

    /** What was told last, unless nothing was told yet. */
    synchronized Facts facts(Target target) {
        return facts != null && helper != null && helper.serves(target) ? facts : look(target);
    }

    /** How it is now. */
    synchronized Facts look(Target target) {
        Optional<Path> perfFile = target.perfFile();
        Path tmp = target.tmp(perfFile);
        List<Path> files = new ArrayList<>(List.of(tmp.resolve(target.socketName())));
        files.addAll(ThreadRoom.INSIDE);
        perfFile.ifPresent(files::add);
        try {
            facts = told(tmp, perfFile, files, of(target).facts(LOOK, files));
        } catch (IOException unreached) {
            facts = new Facts(Optional.empty(), tmp, PerfData.NONE, Map.of(), unreached.getMessage());
        }
        return facts;
    }

    private static Facts told(Path tmp, Optional<Path> perfFile, List<Path> files, List<HelperReply> replies) {
        Map<Path, String> texts = new HashMap<>();
        for (int i = 1; i <= ThreadRoom.INSIDE.size(); i++) {
            Path file = files.get(i);
            replies.get(i).content().ifPresent(bytes -> texts.put(file, new String(bytes, StandardCharsets.UTF_8)));
        }
        PerfData perfData = perfFile.flatMap(
                        file -> replies.get(replies.size() - 1).content())
                .map(TargetHelper::parsed)
                .orElse(PerfData.NONE);
        return new Facts(Optional.of(replies.get(0)), tmp, perfData, texts, "");
    }

    private static PerfData parsed(byte[] bytes) {
        try {
            return PerfData.parse(bytes);
        } catch (RuntimeException unreadable) {
            return PerfData.NONE;
        }
    }

    synchronized void close() {
        if (helper != null) {
            helper.close();
        }
        helper = null;
        facts = null;
    }
}
