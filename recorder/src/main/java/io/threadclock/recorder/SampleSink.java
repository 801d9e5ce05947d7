// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The destination of samples. Only one thread may use it. */
public interface SampleSink extends AutoCloseable {
    /** The time at which this JVM was last sampled, in µs since 1970; empty: never, or unknown here. */
    OptionalLong lastSampleUs(JvmName jvm);

    void put(Sample sample);

    void put(Gap gap);

    void put(Throttling throttling);

    /** Names that became known too late for the sample of that moment. */
    void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names);

    /** The present state, in a few words. */
    String status();

    /** The reason why samples are being lost, or soon will be, in a few words; empty if they are not. */
    String trouble();

    /** The size on the disk, or of what was sent. */
    long bytes();

    /** The number of samples that were given and are lost for good. */
    long lostSamples();

    /** A message about lost samples, at the end. */
    Optional<StoreFailure> loss();

    /** Keeps what it has been given, as far as it can. A second call does nothing. */
    @Override
    void close();
}
