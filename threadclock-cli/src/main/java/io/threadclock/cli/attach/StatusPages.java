// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.MemoryMap.Mapping;
import io.threadclock.cli.process.Target;
import java.util.List;
import java.util.Optional;

/**
 * Whether the agent in a process is in use, which the protection of two pages of the library shows. The states are
 * those of threadclock-native/src/main/c/jvm/status_pages.h. A process can only lie about itself.
 */
public final class StatusPages {
    private static final String MARK = "-w-p";
    private static final String IN_USE = "---p";

    private StatusPages() {}

    /**
     * Whether any loaded copy is in use. Empty if one of them does not tell, for example an older version, and none is
     * in use.
     */
    public static Optional<Boolean> isInUse(Target target) {
        List<Optional<Boolean>> copies = target.files().memoryMap().places(LibraryFile::isNamed).stream()
                .map(StatusPages::isInUse)
                .toList();
        if (copies.contains(Optional.of(true))) {
            return Optional.of(true);
        }
        return copies.contains(Optional.<Boolean>empty()) ? Optional.empty() : Optional.of(false);
    }

    private static Optional<Boolean> isInUse(List<Mapping> place) {
        for (int i = 0; i < place.size(); i++) {
            if (place.get(i).permissions().equals(MARK) && place.get(i).file().isEmpty()) {
                return Optional.of(
                        i + 1 < place.size() && place.get(i + 1).permissions().equals(IN_USE));
            }
        }
        return Optional.empty();
    }
}
