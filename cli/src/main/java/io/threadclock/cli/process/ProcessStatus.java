// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The content of {@code /proc/PID/status}.
 *
 * @param state the kernel's abbreviation, for instance {@code S}, {@code Z}, {@code T}
 * @param tgid the process that it belongs to; for a thread, another number than its own
 * @param namespacePid its pid in its own namespace
 * @param uids real, effective, saved and the file system's
 * @param gids real, effective, saved and the file system's
 * @param hasMemory false for threads of the kernel, and for a process that has ended
 * @param caughtSignals bit n − 1: signal n has a handler
 * @param pendingSignals bit n − 1: signal n was sent to the process, and no thread has taken it yet
 * @param capabilities effective
 * @param permitted the capabilities that it can make effective
 */
public record ProcessStatus(
        char state,
        int tgid,
        int namespacePid,
        List<Integer> uids,
        List<Integer> gids,
        List<Integer> groups,
        boolean hasMemory,
        long caughtSignals,
        long pendingSignals,
        long capabilities,
        long permitted) {
    private static final int SIGQUIT = 3;
    private static final int CAP_SYS_PTRACE = 19;
    private static final int CAP_SYS_ADMIN = 21;
    private static final int CAP_SYS_RESOURCE = 24;
    private static final int EFFECTIVE = 1;

    static ProcessStatus parse(String text) {
        Map<String, String> fields = new HashMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        String thread = fields.getOrDefault("NSpid", fields.getOrDefault("Pid", "0"));
        List<Integer> pids = numbers(fields.getOrDefault("NStgid", thread));
        return new ProcessStatus(
                fields.getOrDefault("State", "?").charAt(0),
                Integer.parseInt(fields.getOrDefault("Tgid", "0")),
                pids.get(pids.size() - 1),
                numbers(fields.get("Uid")),
                numbers(fields.get("Gid")),
                numbers(fields.getOrDefault("Groups", "")),
                fields.containsKey("VmSize"),
                bits(fields, "SigCgt"),
                bits(fields, "ShdPnd"),
                bits(fields, "CapEff"),
                bits(fields, "CapPrm"));
    }

    private static long bits(Map<String, String> fields, String name) {
        return Long.parseUnsignedLong(fields.getOrDefault(name, "0"), 16);
    }

    /** The effective user id. */
    public int uid() {
        return uids.get(EFFECTIVE);
    }

    /** The effective group id. */
    public int gid() {
        return gids.get(EFFECTIVE);
    }

    /** Whether all its ids are those of one user and one group. This is false for a setuid program. */
    boolean isOfOneUser() {
        return Set.copyOf(uids).size() == 1 && Set.copyOf(gids).size() == 1;
    }

    public boolean hasEnded() {
        return isOver(state);
    }

    static boolean isOver(char state) {
        return state == 'Z' || state == 'X';
    }

    /** Whether a signal or a debugger has stopped it. */
    public boolean isStopped() {
        return state == 'T' || state == 't';
    }

    boolean catchesQuit() {
        return (caughtSignals >>> (SIGQUIT - 1) & 1) != 0;
    }

    /** Whether SIGQUIT was sent to it, and it has not taken it. */
    public boolean hasQuitPending() {
        return (pendingSignals >>> (SIGQUIT - 1) & 1) != 0;
    }

    /** Whether it can have capabilities that another one does not use; the kernel then hides it from that one. */
    boolean exceeds(ProcessStatus other) {
        return (permitted & ~other.capabilities) != 0;
    }

    /** Whether the kernel shows it all processes. */
    boolean tracesAll() {
        return (capabilities >>> CAP_SYS_PTRACE & 1) != 0;
    }

    /** Whether RLIMIT_NPROC does not hold for it, in the first user namespace. */
    boolean passesProcessLimit() {
        return uids.get(0) == 0
                || (capabilities >>> CAP_SYS_ADMIN & 1) != 0
                || (capabilities >>> CAP_SYS_RESOURCE & 1) != 0;
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .map(Integer::parseUnsignedInt)
                .toList();
    }
}
