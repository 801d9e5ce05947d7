// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.VirtualPoolTimes;

/**
 * The measured virtual threads of one pool at one moment, ended ones included; or what their carriers use between two
 * mounts.
 *
 * @param number the same in all snapshots of a process
 * @param name the pool's name, or what stands for it
 * @param cpuNs user time + system time, in ns since the first measured mount
 * @param mounts 0 for the carriers' rest
 * @param threads those that have been mounted and have not ended
 */
public record VirtualPool(int number, Kind kind, String name, long cpuNs, long userNs, long mounts, int threads) {
    /** The order is that of enum tclk_reply_pool_kind. */
    public enum Kind {
        REST(VirtualPoolTimes.REST),
        UNNAMED(VirtualPoolTimes.UNNAMED),
        NAMED(""),
        OTHERS(VirtualPoolTimes.OTHERS);

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Stands for the name where there is none. */
        String label() {
            return label;
        }
    }

    /** The same pool before any of its threads was mounted. */
    public VirtualPool atBegin() {
        return new VirtualPool(number, kind, name, 0, 0, 0, 0);
    }

    /** Both as one. */
    public VirtualPool plus(VirtualPool other) {
        return new VirtualPool(
                number,
                kind,
                name,
                cpuNs + other.cpuNs,
                userNs + other.userNs,
                mounts + other.mounts,
                threads + other.threads);
    }

    public long systemNs() {
        return cpuNs - userNs;
    }

    public boolean isRest() {
        return kind == Kind.REST;
    }
}
