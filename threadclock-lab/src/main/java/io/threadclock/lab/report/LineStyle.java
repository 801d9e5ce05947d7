// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import java.util.List;

/**
 * How a contender's line looks: the same in each chart.
 *
 * @param tone its colour's name in the style sheet
 * @param dash its pattern's name in the script
 * @param rank how soon it is left out of a crowded chart until it is asked for; 0: last
 */
record LineStyle(String tone, String dash, int rank) {
    private static final int FREE_TONES = 5;
    private static final List<String> IN_FREE_TONES = List.of(
            "source=perf",
            "source=rseq",
            "source=clock",
            "source=ticks",
            "source=proc",
            "PID-0 clock id",
            "own-tid clock id");

    static LineStyle of(String contender, String quantity) {
        String dash = dash(contender, quantity);
        if (quantity.equals("timer")) {
            return new LineStyle("base", contender.startsWith("stock") ? "dotted" : "dashdot", 1);
        }
        if (contender.startsWith("stock")) {
            return new LineStyle("stock", dash, 0);
        }
        if (contender.startsWith("threadclock") || contender.equals("-agentpath")) {
            return new LineStyle("threadclock", dash, 0);
        }
        if (contender.startsWith("library") || contender.equals("attached") || contender.startsWith("ThreadTimes")) {
            int rank = contender.contains("stopwatch") ? 1 : 0;
            return new LineStyle(contender.contains("JNI") ? "jni" : "ffm", dash, rank);
        }
        return switch (contender) {
            case "rdtsc", "off" -> new LineStyle("base", "solid", 0);
            case "System.nanoTime", "nanoTime" -> new LineStyle("base", "dashed", 1);
            case "empty", "timer alone" -> new LineStyle("base", "dotted", 1);
            case "empty JNI call" -> new LineStyle("base", "dashdot", 2);
            default -> new LineStyle(freeTone(contender), dash, 2);
        };
    }

    /** Whoever cannot tell the colours apart can tell these. */
    private static String dash(String contender, String quantity) {
        if (contender.contains("stopwatch")) {
            return "dotted";
        }
        boolean user = contender.contains("user time");
        return contender.contains("CPU time") || !user && quantity.contains("CPU time") ? "dashed" : "solid";
    }

    private static String freeTone(String contender) {
        int known = IN_FREE_TONES.indexOf(contender);
        return "free" + Math.floorMod(known < 0 ? contender.hashCode() : known, FREE_TONES);
    }
}
