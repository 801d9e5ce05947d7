// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Origin;
import io.threadclock.harness.Figure;
import java.util.List;

/** Where the figures are from. */
final class RunFacts {
    private static final long SECONDS_PER_MINUTE = 60;

    private final Origin origin;

    RunFacts(Origin origin) {
        this.origin = origin;
    }

    void write(Html html) {
        html.open("section", "id", "run").element("h2", "The run").open("dl", "class", "facts");
        fact(html, "Machine", machine());
        fact(html, "Kernel", kernel());
        fact(html, "Clock tick", origin.ticksPerSecond() == null ? null : "HZ=" + origin.ticksPerSecond());
        fact(html, "Load average before", origin.loadBefore());
        fact(html, "Date", origin.startedAt());
        fact(html, "Took", took());
        fact(html, "threadclock", origin.version());
        html.open("div", "class", "command").element("dt", "Command");
        html.open("dd").element("code", origin.command()).close("dd").close("div");
        html.close("dl");
        if (!origin.runtimes().isEmpty()) {
            runtimes().write(html);
        }
        html.close("section");
    }

    /** In one line, for the page's head. */
    String machine() {
        return origin.cpuModel() + (origin.virtual() ? " (virtual machine), " : ", ") + origin.cpus()
                + (origin.cpus() == 1 ? " CPU" : " CPUs");
    }

    String kernel() {
        String kernel = origin.kernel();
        return kernel == null || kernel.startsWith("Linux") ? kernel : "Linux " + kernel;
    }

    private static void fact(Html html, String name, String fact) {
        html.open("div").element("dt", name).element("dd", fact).close("div");
    }

    private String took() {
        long minutes = origin.seconds() / SECONDS_PER_MINUTE;
        String seconds = origin.seconds() % SECONDS_PER_MINUTE + " s";
        return minutes == 0 ? seconds : Figure.count(minutes) + " min " + seconds;
    }

    private PageTable runtimes() {
        PageTable table = new PageTable(
                "JDKs, and the clock on each",
                List.of(
                        PageTable.words("JDK"),
                        PageTable.words("vendor"),
                        PageTable.words("clock source"),
                        PageTable.words("the library's binding")));
        origin.runtimes()
                .forEach(jdk -> table.row(List.of(
                        recorded(jdk.version()),
                        recorded(jdk.vendor()),
                        recorded(jdk.source()),
                        recorded(jdk.binding()))));
        return table;
    }

    private static String recorded(String fact) {
        return fact == null ? "not recorded" : fact;
    }
}
