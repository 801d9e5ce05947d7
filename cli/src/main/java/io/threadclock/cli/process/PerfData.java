// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of the file in which HotSpot tells other processes about itself, {@code hsperfdata_USER/PID}: since JDK
 * 6, in format 2.0, unless {@code -XX:-UsePerfData} is set. An entry has a length, the offset of its name, the length
 * of its vector, a type, three more bytes, and the offset of its content.
 */
record PerfData(Map<String, String> texts, Map<String, Long> numbers) {
    static final PerfData NONE = new PerfData(Map.of(), Map.of());
    private static final int MAGIC = 0xcafec0c0;
    private static final int BYTE_ORDER = 4;
    private static final int FIRST_ENTRY = 24;
    private static final int ENTRIES = 28;
    private static final int VECTOR_LENGTH = 8;
    private static final int TYPE = 12;
    private static final String END_OF_START = "sun.rt.createVmEndTime";
    private static final String VERSION = "java.property.java.version";
    private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d{1,4}).*");
    private static final String CAPABILITIES = "sun.rt.jvmCapabilities";
    private static final String VM = "java.property.java.vm.name";
    private static final String COMMAND = "sun.rt.javaCommand";
    private static final List<String> TEXTS = List.of(CAPABILITIES, VERSION, VM, COMMAND);
    private static final String NO_COMMAND = "Unknown";

    /** Whether the JVM says that it can be attached to; empty if it does not say. */
    Optional<Boolean> attachable() {
        return Optional.ofNullable(texts.get(CAPABILITIES)).map(flags -> flags.startsWith("1"));
    }

    /** Whether the JVM says that it has started; empty if it does not say. */
    Optional<Boolean> started() {
        return Optional.ofNullable(numbers.get(END_OF_START)).map(time -> time != 0);
    }

    /** The JDK's version, such as {@code 17.0.15}; empty if the JVM does not say. */
    Optional<String> version() {
        return Optional.ofNullable(texts.get(VERSION));
    }

    /** Such as {@code OpenJDK 64-Bit Server VM}; empty if the JVM does not say. */
    Optional<String> vm() {
        return Optional.ofNullable(texts.get(VM));
    }

    /** The number of the JDK's feature release; empty if the JVM does not say. */
    OptionalInt feature() {
        Matcher version = FEATURE.matcher(texts.getOrDefault(VERSION, ""));
        return version.matches() ? OptionalInt.of(Integer.parseInt(version.group(1))) : OptionalInt.empty();
    }

    /** What it runs: a class, MODULE/CLASS or a path, and its arguments; empty if the JVM does not say. */
    Optional<String> command() {
        return Optional.ofNullable(texts.get(COMMAND))
                .filter(command -> !command.isBlank() && !command.equals(NO_COMMAND));
    }

    static PerfData parse(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes);
        if (file.getInt(0) != MAGIC) {
            return NONE;
        }
        file.order(file.get(BYTE_ORDER) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        Map<String, String> texts = new HashMap<>();
        Map<String, Long> numbers = new HashMap<>();
        int entry = file.getInt(FIRST_ENTRY);
        for (int left = file.getInt(ENTRIES); left > 0 && file.getInt(entry) > 0; left--) {
            String name = text(bytes, entry + file.getInt(entry + 4), Bounds.PERF_DATA_TEXT_BYTES);
            int content = entry + file.getInt(entry + 16);
            if (TEXTS.contains(name) && file.getInt(entry + VECTOR_LENGTH) > 0 && file.get(entry + TYPE) == 'B') {
                int most = name.equals(COMMAND) ? Bounds.WORD_CHARACTERS : Bounds.PERF_DATA_TEXT_BYTES;
                texts.put(name, text(bytes, content, most));
            } else if (name.equals(END_OF_START)
                    && file.getInt(entry + VECTOR_LENGTH) == 0
                    && file.get(entry + TYPE) == 'J') {
                numbers.put(name, file.getLong(content));
            }
            entry += file.getInt(entry);
        }
        return new PerfData(texts, numbers);
    }

    private static String text(byte[] bytes, int start, int most) {
        int end = start;
        while (bytes[end] != 0 && end - start < most) {
            end++;
        }
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
