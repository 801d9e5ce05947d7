// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** The account of a virtual thread that a program has accounted by this library. */
final class LibraryAccount extends ThreadAccount {
    LibraryAccount(Runnable original) {
        super(original);
    }

    @Override
    CarrierClock clock() {
        return LibraryClock.NATIVE;
    }

    /** Returns 0, or a negative errno. */
    int read(TimesHolder holder) {
        for (; ; ) {
            Segment segment = current();
            int version = segment.version();
            Total before = ownBefore(segment);
            long beforeCpuNs = before.cpuNs + segment.offsetCpuNs();
            long beforeUserNs = before.userNs + segment.offsetUserNs();
            int error = holder.read();
            if (isStill(segment, version)) {
                if (error == 0) {
                    holder.add(beforeCpuNs, beforeUserNs);
                }
                return error;
            }
        }
    }
}
