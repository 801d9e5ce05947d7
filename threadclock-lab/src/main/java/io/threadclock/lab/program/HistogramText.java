// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A histogram as one word. */
public final class HistogramText {
    private HistogramText() {}

    public static String of(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int bytes = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), bytes));
    }

    /** @throws IllegalArgumentException if the text is no histogram */
    public static Histogram parse(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException damaged) {
            throw new IllegalArgumentException("no histogram: " + text, damaged);
        }
    }
}
