// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

/**
 * What the program did since it was last asked, in about a second, and what its calls cost.
 *
 * @param units units of work done
 * @param wallNs how long it has been
 * @param user calls that read the calling thread's user time
 * @param cpu calls that read the calling thread's CPU time
 * @param other calls that read another thread's user time, by its id
 * @param contradictions readings that say more user time than CPU time
 */
public record LiveSecond(long units, long wallNs, Calls user, Calls cpu, Calls other, long contradictions) {
    public static final String KIND = "second";

    /**
     * Calls of one kind, less the timer around them.
     *
     * @param medianNs wall time of a call, in ns; at least 0
     * @param meanNs the same on average, the time included in which others ran in the midst of a call
     */
    public record Calls(long medianNs, long meanNs) {
        private Message addTo(Message message, String name) {
            return message.with(name + "MedianNs", medianNs).with(name + "MeanNs", meanNs);
        }

        private static Calls of(Message message, String name) {
            return new Calls(message.number(name + "MedianNs"), message.number(name + "MeanNs"));
        }
    }

    public double unitsPerSecond() {
        return units * 1e9 / wallNs;
    }

    public Message toMessage() {
        Message message = new Message(KIND).with("units", units).with("wallNs", wallNs);
        user.addTo(message, "user");
        cpu.addTo(message, "cpu");
        other.addTo(message, "other");
        return message.with("contradictions", contradictions);
    }

    public static LiveSecond of(Message message) {
        return new LiveSecond(
                message.number("units"),
                message.number("wallNs"),
                Calls.of(message, "user"),
                Calls.of(message, "cpu"),
                Calls.of(message, "other"),
                message.number("contradictions"));
    }
}
