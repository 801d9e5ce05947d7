// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.LiveSecond;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The lines of a live demo, one for each second, and what stands above them. */
final class LiveTable {
    static final String TITLES =
            """
                              user time, ns   CPU time, ns  another's, ns  user
                time units/s  median   mean  median   mean  median   mean  >CPU
            """;

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    /** Less than that is how busy the machine is; attaching and detaching is more. */
    private static final double REMARKABLE = 5;

    /** 0 before the first line. */
    private long lastUserNs;

    /** The line of a second, without a newline. It remarks on a median of user time that is of another order. */
    String line(LocalTime at, LiveSecond second) {
        String line = String.format(
                Locale.ROOT,
                "%s %,7.0f  %,6d %,6d  %,6d %,6d  %,6d %,6d  %,4d",
                CLOCK.format(at),
                second.unitsPerSecond(),
                second.user().medianNs(),
                second.user().meanNs(),
                second.cpu().medianNs(),
                second.cpu().meanNs(),
                second.other().medianNs(),
                second.other().meanNs(),
                second.contradictions());
        return line + remark(second.user().medianNs());
    }

    private String remark(long userNs) {
        // A clock as fast as the timer around it can read 0, less the timer.
        long shownNs = Math.max(1, userNs);
        double less = lastUserNs == 0 ? 1 : (double) lastUserNs / shownNs;
        lastUserNs = shownNs;
        if (less > REMARKABLE) {
            return " <- " + Figure.ratio(less) + " less";
        }
        return 1 / less > REMARKABLE ? " <- " + Figure.ratio(1 / less) + " more" : "";
    }
}
