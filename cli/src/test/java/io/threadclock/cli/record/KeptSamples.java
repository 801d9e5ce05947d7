// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import io.threadclock.recorder.Gap;
import io.threadclock.recorder.JvmName;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.SampleSink;
import io.threadclock.recorder.StoreFailure;
import io.threadclock.recorder.Throttling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A sink that keeps what was put into it. */
final class KeptSamples implements SampleSink {
    static final JvmName JVM = new JvmName("host", "app.jar", 4711, 100);

    final List<Sample> samples = new ArrayList<>();
    final List<Gap> gaps = new ArrayList<>();
    final List<Throttling> throttling = new ArrayList<>();
    final List<Sample.ThreadName> late = new ArrayList<>();
    OptionalLong lastUs = OptionalLong.empty();
    String trouble = "";
    long lost;

    @Override
    public OptionalLong lastSampleUs(JvmName jvm) {
        return lastUs;
    }

    @Override
    public void put(Sample sample) {
        samples.add(sample);
    }

    @Override
    public void put(Gap gap) {
        gaps.add(gap);
    }

    @Override
    public void put(Throttling time) {
        throttling.add(time);
    }

    @Override
    public void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        late.addAll(names);
    }

    @Override
    public String status() {
        return samples.size() + " kept";
    }

    @Override
    public String trouble() {
        return trouble;
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public long lostSamples() {
        return lost;
    }

    @Override
    public Optional<StoreFailure> loss() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
