// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Where samples go. For one thread at a time. */
public interface SampleSink extends AutoCloseable {
    /** When this JVM was last sampled, in µs since 1970; empty: never, or nobody here knows. */
    OptionalLong lastSampleUs(JvmName jvm);

    void put(Sample sample);

    void put(Gap gap);

    /** Names that became known too late for the sample of that moment. */
    void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names);

    /** What there is to say of it now, in a few words. */
    String status();

    /** Why samples are being lost, or soon will be, in a few words; empty: they are not. */
    String trouble();

    /** What it takes on the disk, or has sent. */
    long bytes();

    /** How many samples it was given and could not keep, for good. */
    long lostSamples();

    /** What is to be said of those, at the end. */
    Optional<StoreFailure> loss();

    /** Keeps what it has been given, as far as it can. Again: does nothing. */
    @Override
    void close();
}
