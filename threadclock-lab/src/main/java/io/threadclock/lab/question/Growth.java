// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import java.util.List;

/**
 * Whether something has grown over the second half of a soak. What goes up and down is no leak: it has grown by what the
 * least of that half's last third is above the most of its first.
 */
final class Growth {
    /** Of the whole. */
    private static final int SIXTHS = 6;
    /** Two in each part: of one alone nobody can tell whether it goes up and down. */
    static final int FEWEST = 2 * SIXTHS;

    private Growth() {}

    /** 0 if it has not grown, or has been looked at too rarely to tell. */
    static long of(List<Long> figures) {
        if (figures.size() < FEWEST) {
            return 0;
        }
        int sixth = figures.size() / SIXTHS;
        int half = figures.size() - 3 * sixth;
        List<Long> first = figures.subList(half, half + sixth);
        List<Long> last = figures.subList(figures.size() - sixth, figures.size());
        long most = first.stream().mapToLong(Long::longValue).max().orElseThrow();
        long least = last.stream().mapToLong(Long::longValue).min().orElseThrow();
        return Math.max(0, least - most);
    }
}
