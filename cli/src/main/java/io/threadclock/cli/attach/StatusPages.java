// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.MemoryMap.Mapping;
import io.threadclock.cli.process.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The state of the agent in a process, seen by the protection of four pages of the library. The states are those of
 * native/src/main/c/jvm/status_pages.h. A process can only lie about itself.
 */
public final class StatusPages {
    private static final String MARK = "-w-p";
    private static final String NO_ACCESS = "---p";
    private static final String READ_ONLY = "r--p";

    /** Whether an agent measures the virtual threads that are made from now on. */
    public enum VirtualThreads {
        OFF,
        ON,
        /** It was asked to, and could not. */
        IMPOSSIBLE
    }

    private StatusPages() {}

    /**
     * Whether any loaded copy is in use. Empty if one of them does not tell, for example an older version, and none is
     * in use.
     */
    public static Optional<Boolean> isInUse(Target target) {
        return told(target, StatusPages::isInUse, List.of(true, false));
    }

    /**
     * Whether any loaded copy measures virtual threads. Empty if none does so or was asked to, and one that is or may
     * be in use does not tell.
     */
    public static Optional<VirtualThreads> virtualThreads(Target target) {
        return told(
                target,
                StatusPages::virtualThreads,
                List.of(VirtualThreads.ON, VirtualThreads.IMPOSSIBLE, VirtualThreads.OFF));
    }

    /** @param order the last one holds if all copies tell it; another one holds if any copy does */
    private static <T> Optional<T> told(Target target, Function<List<Mapping>, Optional<T>> teller, List<T> order) {
        List<Optional<T>> copies = target.files().memoryMap().places(LibraryFile::isNamed).stream()
                .map(teller)
                .toList();
        T last = order.get(order.size() - 1);
        return order.stream()
                .filter(state -> copies.contains(Optional.of(state)))
                .filter(state -> !state.equals(last))
                .findFirst()
                .or(() -> copies.contains(Optional.<T>empty()) ? Optional.empty() : Optional.of(last));
    }

    private static Optional<Boolean> isInUse(List<Mapping> place) {
        OptionalInt mark = mark(place);
        return mark.isEmpty() ? Optional.empty() : Optional.of(isAt(place, mark.getAsInt() + 1, NO_ACCESS));
    }

    private static Optional<VirtualThreads> virtualThreads(List<Mapping> place) {
        int mark = mark(place).orElse(0);
        if (isAt(place, mark - 1, NO_ACCESS)) {
            return Optional.of(VirtualThreads.ON);
        }
        if (isAt(place, mark - 1, READ_ONLY)) {
            return Optional.of(isAt(place, mark - 2, NO_ACCESS) ? VirtualThreads.IMPOSSIBLE : VirtualThreads.OFF);
        }
        return isInUse(place).equals(Optional.of(false)) ? Optional.of(VirtualThreads.OFF) : Optional.empty();
    }

    private static OptionalInt mark(List<Mapping> place) {
        return IntStream.range(0, place.size())
                .filter(i -> isAt(place, i, MARK))
                .findFirst();
    }

    private static boolean isAt(List<Mapping> place, int index, String permissions) {
        return index >= 0
                && index < place.size()
                && place.get(index).file().isEmpty()
                && place.get(index).permissions().equals(permissions);
    }
}
