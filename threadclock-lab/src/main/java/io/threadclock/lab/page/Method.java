// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.harness.Figure;
import java.util.List;

/** How to read the figures, and what the run itself has said. */
final class Method {
    private final List<String> notes;
    private final int unmeasured;

    /** @param unmeasured how many figures of the run are not on the page */
    Method(List<String> notes, int unmeasured) {
        this.notes = notes;
        this.unmeasured = unmeasured;
    }

    void write(Html html) {
        html.open("section", "id", "method").element("h2", "How it is measured");
        html.open("dl", "class", "method");
        point(
                html,
                "Median, least and most",
                "A figure is the median over rounds; least–most are the rounds at its ends, not a confidence interval. "
                        + "Where there was one round only, no spread is given.");
        point(
                html,
                "Ratios are of one round",
                "Contenders run in turn, round after round, so that what else happens on the machine happens to all. "
                        + "A ratio is taken within each round, and its median and spread are over the rounds: a "
                        + "drift of the machine falls out. It may differ a little from the ratio of the two "
                        + "medians.");
        point(
                html,
                "Average time beside sampled time",
                "A sample is taken between two looks at System.nanoTime(). What the looks cost is in every "
                        + "sample: it is the row \"empty\", several times what a cheap read takes, and they advance "
                        + "in steps of their own. So sampled figures show tails, where that does not matter, and "
                        + "average time shows what a read costs.");
        point(
                html,
                "The floor of a call into C",
                "Plain Java cannot read the counter or ask the kernel. rdtsc and the clock ids are read through a "
                        + "small native library by JNI, and the way there and back is in their figures: \"empty JNI "
                        + "call\" is that way alone, \"empty\" what measuring itself takes. No reading by JNI can "
                        + "cost less; FFM has a way of its own.");
        point(
                html,
                "Percentiles",
                "The horizontal axis counts nines: 90, 99, 99.9 are as far from one another. \"max\" is the one "
                        + "greatest sample, for which there is no place on that scale. With more threads than CPUs, "
                        + "tails are mostly of threads that wait for a CPU.");
        html.close("dl");
        writeNotes(html);
        html.close("section");
    }

    private static void point(Html html, String title, String text) {
        html.open("div").element("dt", title).element("dd", text).close("div");
    }

    private void writeNotes(Html html) {
        if (notes.isEmpty() && unmeasured == 0) {
            return;
        }
        html.element("h3", "Notes of this run").open("ul", "class", "notes");
        notes.forEach(note -> html.element("li", note));
        if (unmeasured > 0) {
            html.element("li", Figure.count(unmeasured) + " figures without a finite number are left out.");
        }
        html.close("ul");
    }
}
