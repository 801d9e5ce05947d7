// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings that the user changes by keys.
 *
 * @param scroll number of rows above the first visible one
 * @param isFrozen whether the screen stands still while sampling goes on
 * @param typed the part of a filter that has been typed; null if none is being typed
 */
record Controls(ThreadTable table, Duration interval, int scroll, boolean isFrozen, boolean showsHelp, String typed) {
    private static final List<Duration> INTERVALS = Stream.of(100, 200, 500, 1_000, 2_000, 5_000, 10_000)
            .map(Duration::ofMillis)
            .toList();

    static Controls of(ThreadTable table, Duration interval) {
        return new Controls(table, interval, 0, false, false, null);
    }

    boolean isTyping() {
        return typed != null;
    }

    Controls sortedBy(Order order) {
        return showing(new ThreadTable(order, table.filter(), table.folds()));
    }

    Controls filteredBy(String filter) {
        return showing(new ThreadTable(table.order(), filter, table.folds()));
    }

    Controls folded() {
        return showing(new ThreadTable(table.order(), table.filter(), !table.folds()));
    }

    private Controls showing(ThreadTable next) {
        return new Controls(next, interval, 0, isFrozen, showsHelp, null);
    }

    Controls frozen() {
        return new Controls(table, interval, scroll, !isFrozen, showsHelp, typed);
    }

    Controls helped(boolean shows) {
        return new Controls(table, interval, scroll, isFrozen, shows, typed);
    }

    Controls typing(String text) {
        return new Controls(table, interval, scroll, isFrozen, showsHelp, text);
    }

    Controls scrolledTo(int row) {
        return new Controls(table, interval, Math.max(0, row), isFrozen, showsHelp, typed);
    }

    Controls slower() {
        return every(INTERVALS.stream()
                .filter(next -> next.compareTo(interval) > 0)
                .findFirst()
                .orElse(interval));
    }

    Controls faster() {
        return every(INTERVALS.stream()
                .filter(next -> next.compareTo(interval) < 0)
                .reduce((one, next) -> next)
                .orElse(interval));
    }

    private Controls every(Duration next) {
        return new Controls(table, next, scroll, isFrozen, showsHelp, typed);
    }
}
