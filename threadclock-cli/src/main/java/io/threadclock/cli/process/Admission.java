// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The JVMs that a command takes on where there are too many: all of root's and of its own user, then one of each other
 * user in turn, so that nobody's JVMs hide those of others.
 *
 * @param pids in ascending order
 * @param more how many are left out
 */
record Admission(List<Integer> pids, int more) {
    /** A JVM, and its user. */
    record Candidate(int pid, int uid) {}

    private record Ranked(int pid, int rank) {}

    /** Says how many are left out, if any. */
    void tell(Consumer<String> say) {
        if (more > 0) {
            say.accept("and " + more + " more JVMs, which are left out: at most " + Bounds.JVMS + " are taken, and "
                    + Bounds.JVMS_OF_ANOTHER_USER + " of a user who is neither root nor this command's");
        }
    }

    /** @param candidates those that come first are preferred among those of one user */
    static Admission of(List<Candidate> candidates, int ownUid) {
        Map<Integer, Integer> counts = new HashMap<>();
        List<Ranked> ranked = new ArrayList<>();
        for (Candidate one : candidates) {
            boolean isPreferred = one.uid == 0 || one.uid == ownUid;
            int rank = isPreferred ? 0 : counts.merge(one.uid, 1, Integer::sum);
            if (rank <= Bounds.JVMS_OF_ANOTHER_USER) {
                ranked.add(new Ranked(one.pid, rank));
            }
        }
        List<Integer> pids = ranked.stream()
                .sorted(Comparator.comparingInt(Ranked::rank))
                .limit(Bounds.JVMS)
                .map(Ranked::pid)
                .sorted()
                .toList();
        return new Admission(pids, candidates.size() - pids.size());
    }
}
