// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Figures that are compared with one another, and so are measured in turn.
 *
 * @param title for whom waits
 */
record Part(String title, Length length, List<Task> tasks) {
    Part {
        tasks = List.copyOf(tasks);
    }

    /** Every other round runs backward, so that none is always before another. */
    List<Task> inTurn(int round) {
        List<Task> turn = new ArrayList<>(tasks);
        if (round % 2 == 1) {
            Collections.reverse(turn);
        }
        return turn;
    }

    long ms() {
        return tasks.stream().mapToLong(task -> length.ms(task.threads())).sum();
    }
}
