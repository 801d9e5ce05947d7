// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.OptionalLong;

/** Where samples go. For one thread at a time. */
public interface Sink extends AutoCloseable {
    /** When this JVM was last sampled, in µs since 1970; empty: never, or nobody here knows. */
    OptionalLong lastSampleUs(JvmName jvm);

    void put(Sample sample);

    void put(Gap gap);

    /** What there is to say of it now, in a few words. */
    String status();

    /** How many samples it was given and could not keep, for good. */
    long lostSamples();

    /** Keeps what it has been given, as far as it can. Again: does nothing. */
    @Override
    void close();
}
