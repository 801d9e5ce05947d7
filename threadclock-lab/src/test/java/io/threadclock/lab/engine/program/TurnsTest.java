// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TurnsTest {
    @Test
    void areReadAsTheyWereWritten() {
        Map<Way, Histogram> unitNs = new EnumMap<>(Way.class);
        for (Way way : Way.values()) {
            Histogram histogram = Turns.emptyHistogram();
            histogram.recordValue(100_000 + way.ordinal());
            unitNs.put(way, histogram);
        }
        Turns turns = new Turns(List.of(new Slice(Way.STOPWATCH, 1.5, 2.25), new Slice(Way.NONE, 1e5, 9e4)), unitNs);
        assertThat(Turns.parse(turns.toString())).isEqualTo(turns);
    }

    @Test
    void refuseWhatIsNoSlice() {
        assertThatThrownBy(() -> Turns.parse("NONE:1.0")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void areAskedForInOneLine() {
        TurnsRequest request = new TurnsRequest(List.of(Way.NONE, Way.THREAD_MX_BEAN, Way.NONE), 7);
        assertThat(TurnsRequest.parse(request.toString())).isEqualTo(request);
        assertThatThrownBy(() -> TurnsRequest.parse("NONE")).hasMessage("no request: NONE");
    }
}
