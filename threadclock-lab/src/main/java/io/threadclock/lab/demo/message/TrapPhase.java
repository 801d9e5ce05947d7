// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

/**
 * What a thread was charged for bursts of work that all began at one phase of the clock tick.
 *
 * @param offsetNs where in the tick period, counted from a multiple of the period by System.nanoTime()
 * @param bursts number of bursts
 * @param userNs user time charged to the bursts, read before and after each
 * @param cpuNs CPU time charged to the bursts, read before and after each
 */
public record TrapPhase(long offsetNs, int bursts, long userNs, long cpuNs) {
    public static final String KIND = "trap";

    public Message toMessage() {
        return new Message(KIND)
                .with("offsetNs", offsetNs)
                .with("bursts", bursts)
                .with("userNs", userNs)
                .with("cpuNs", cpuNs);
    }

    public static TrapPhase of(Message message) {
        return new TrapPhase(
                message.number("offsetNs"),
                Math.toIntExact(message.number("bursts")),
                message.number("userNs"),
                message.number("cpuNs"));
    }
}
