// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MessageTest {
    @Test
    void isOneLineThatReadsBackAsItself() {
        String line = new Message("phase")
                .with("workers", 8)
                .with("attribution", true)
                .toString();
        assertThat(line).isEqualTo("@phase workers=8 attribution=true");
        Message read = Message.parse(line).orElseThrow();
        assertThat(read.kind()).isEqualTo("phase");
        assertThat(read.number("workers")).isEqualTo(8);
        assertThat(read.flag("attribution")).isTrue();
    }

    @Test
    void carriesAHistogramWithoutLoss() {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(21);
        histogram.recordValueWithCount(8_712, 1000);
        String line = new Message("result").with("callNs", histogram).toString();
        assertThat(Message.parse(line).orElseThrow().histogram("callNs")).isEqualTo(histogram);
    }

    @Test
    void carriesTextThatContainsEqualsSigns() {
        assertThat(Message.parse("@result callNs=HISTFAAA==").orElseThrow().text("callNs"))
                .isEqualTo("HISTFAAA==");
    }

    @Test
    void isNotFoundInWhatLibrariesPrint() {
        assertThat(Message.parse("QuestDB is shutting down...")).isEmpty();
        assertThat(Message.parse("")).isEmpty();
    }

    @Test
    void saysWhichFieldIsMissing() {
        Message message = new Message("phase").with("workers", 1);
        assertThatThrownBy(() -> message.number("durationMs"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no durationMs in @phase workers=1");
    }
}
