// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * One line between driver and child: {@code @kind key=value key=value}. Lines that do not begin with {@code @} are what
 * the program and its libraries print otherwise; they are no messages.
 */
public final class Message {
    private static final String MARK = "@";

    private final String kind;
    private final Map<String, String> fields = new LinkedHashMap<>();

    public Message(String kind) {
        this.kind = kind;
    }

    /** The message in {@code line}, or empty if the line is none. */
    public static Optional<Message> parse(String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] words = line.substring(MARK.length()).strip().split(" +");
        Message message = new Message(words[0]);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("no key=value: " + words[i] + " in " + line);
            }
            message.fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return Optional.of(message);
    }

    public String kind() {
        return kind;
    }

    /** Adds a field; neither its key nor its text may contain blanks. */
    public Message with(String key, Object field) {
        fields.put(key, field.toString());
        return this;
    }

    /** Adds a histogram in its compressed form. */
    public Message with(String key, Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return with(key, Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
    }

    public String text(String key) {
        String text = fields.get(key);
        if (text == null) {
            throw new IllegalArgumentException("no " + key + " in " + this);
        }
        return text;
    }

    public long number(String key) {
        return Long.parseLong(text(key));
    }

    public boolean flag(String key) {
        return Boolean.parseBoolean(text(key));
    }

    public Histogram histogram(String key) {
        ByteBuffer encoded = ByteBuffer.wrap(Base64.getDecoder().decode(text(key)));
        try {
            return Histogram.decodeFromCompressedByteBuffer(encoded, 0);
        } catch (DataFormatException damaged) {
            throw new IllegalArgumentException(key + " is no histogram", damaged);
        }
    }

    /** The line, without a newline. */
    @Override
    public String toString() {
        return fields.entrySet().stream()
                .map(field -> " " + field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining("", MARK + kind, ""));
    }
}
