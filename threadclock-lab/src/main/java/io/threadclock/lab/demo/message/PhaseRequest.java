// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

/**
 * What the driver asks a child to do for a while.
 *
 * @param workers number of worker threads
 * @param attribution whether each unit of work reads its thread's user and CPU time before and after
 * @param durationMs how long
 */
public record PhaseRequest(int workers, boolean attribution, long durationMs) {
    public static final String KIND = "phase";

    public Message toMessage() {
        return new Message(KIND)
                .with("workers", workers)
                .with("attribution", attribution)
                .with("durationMs", durationMs);
    }

    public static PhaseRequest of(Message message) {
        return new PhaseRequest(
                Math.toIntExact(message.number("workers")), message.flag("attribution"), message.number("durationMs"));
    }
}
