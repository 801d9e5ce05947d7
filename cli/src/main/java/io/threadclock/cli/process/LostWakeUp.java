// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fault of a JDK by which a virtual thread waits forever, though it was woken, or its timeout is over. Their sources
 * are named in docs/virtual-threads.md. Nothing is said of a version that no source names, nor of early access.
 *
 * @param issue its name at bugs.openjdk.org
 * @param feature the feature release that has it
 * @param last the last update of that release that is known to have it
 * @param mended an update of that release that is known to have it mended
 */
public record LostWakeUp(String issue, int feature, int last, int mended) {
    /** What to do about one. */
    public static final String REMEDY = "Use a newer JDK, or a build whose vendor has mended that before.";

    private static final List<LostWakeUp> KNOWN = List.of(
            new LostWakeUp("JDK-8369227", 25, 2, 3),
            new LostWakeUp("JDK-8369227", 26, 0, 1),
            new LostWakeUp("JDK-8370887", 25, 2, 3),
            new LostWakeUp("JDK-8373120", 25, 3, 4),
            new LostWakeUp("JDK-8373120", 26, 0, 2));
    /** Such as {@code 25}, {@code 25.0.3}, {@code 26.0.2.1}, {@code 25.0.3+9-LTS}. */
    private static final Pattern RELEASED = Pattern.compile("(\\d{1,4})(?:\\.0\\.(\\d{1,4})[.\\d]*)?(?:\\+.*)?");

    /** What to tell of those of a JDK of this version; empty if none is known. */
    public static Optional<String> told(String version) {
        Matcher released = RELEASED.matcher(version);
        if (!released.matches()) {
            return Optional.empty();
        }
        int feature = Integer.parseInt(released.group(1));
        int update = released.group(2) == null ? 0 : Integer.parseInt(released.group(2));
        return Optional.of(KNOWN.stream()
                        .filter(fault -> fault.feature == feature && update <= fault.last)
                        .map(fault -> fault.issue + " (mended in " + feature + ".0." + fault.mended + ")")
                        .collect(joining(", ")))
                .filter(faults -> !faults.isEmpty())
                .map(faults -> "virtual threads of JDK " + version + " can miss a wake-up and wait forever: " + faults);
    }
}
