// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Samples and gaps in the line protocol; integers are told by their {@code i}, moments by their {@code t}. */
final class Lines {
    private static final long NS_PER_US = 1000;

    private final String prefix;
    private final StringBuilder text = new StringBuilder();

    Lines(String prefix) {
        this.prefix = prefix;
    }

    Lines add(Sample sample) {
        return addNames(sample.jvm(), sample.wallUs(), sample.names()).addTimes(sample);
    }

    Lines addTimes(Sample sample) {
        JvmName jvm = sample.jvm();
        begin(Table.PROCESSES, jvm).symbol("host", jvm.host()).symbol("program", jvm.program());
        field(' ', "pid", jvm.pid())
                .field(',', "elapsed_us", sample.elapsedUs())
                .field(',', "threads", sample.threadCount())
                .field(',', "whole_us", sample.whole().elapsedUs())
                .field(',', "user_ns", sample.whole().userNs())
                .field(',', "system_ns", sample.whole().systemNs())
                .field(',', "own_ns", sample.ownNs())
                .end(sample.wallUs());
        for (Sample.ThreadTimes times : sample.threads()) {
            begin(Table.SAMPLES, jvm)
                    .field(' ', "thread", times.thread())
                    .field(',', "elapsed_us", times.elapsedUs())
                    .field(',', "user_ns", times.userNs())
                    .field(',', "system_ns", times.systemNs())
                    .end(sample.wallUs());
        }
        return this;
    }

    Lines addNames(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        names.forEach(name -> add(name, jvm, wallUs));
        return this;
    }

    private void add(Sample.ThreadName name, JvmName jvm, long wallUs) {
        begin(Table.THREADS, jvm).symbol("kind", name.kind());
        field(' ', "thread", name.thread())
                .field(',', "tid", name.tid())
                .field(',', "java_id", name.javaId())
                .string("name", name.name())
                .string("pool", name.pool())
                .end(wallUs);
    }

    Lines add(Gap gap) {
        begin(Table.GAPS, gap.jvm()).symbol("reason", gap.reason().toString());
        text.append(" until=").append(gap.endUs()).append('t');
        field(',', "lost_samples", gap.lostSamples()).end(gap.beginUs());
        return this;
    }

    private Lines begin(Table table, JvmName jvm) {
        text.append(prefix).append(table);
        return symbol("jvm", jvm.key());
    }

    private Lines symbol(String name, String symbol) {
        text.append(',').append(name).append('=');
        for (char c : symbol.toCharArray()) {
            if (c == ' ' || c == ',' || c == '=' || c == '\\') {
                text.append('\\');
            }
            text.append(Character.isISOControl(c) ? '?' : c);
        }
        return this;
    }

    private Lines field(char separator, String name, long number) {
        text.append(separator).append(name).append('=').append(number).append('i');
        return this;
    }

    private Lines string(String name, String value) {
        text.append(',').append(name).append("=\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(Character.isISOControl(c) ? '?' : c);
        }
        text.append('"');
        return this;
    }

    private void end(long wallUs) {
        text.append(' ').append(wallUs * NS_PER_US).append('\n');
    }

    byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
