// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/**
 * The times of all threads of a process together, ended ones included, in ns.
 *
 * @param readNs the moment, as {@link System#nanoTime()}
 */
public record ProcessSnapshot(long cpuNs, long userNs, long readNs) {
    public long systemNs() {
        return cpuNs - userNs;
    }
}
