// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes samples and gaps in the line protocol. An {@code i} marks integers, a {@code t} timestamps. */
final class LineProtocol {
    private static final long NS_PER_US = 1000;

    private final String prefix;
    private final StringBuilder text = new StringBuilder();

    LineProtocol(String prefix) {
        this.prefix = prefix;
    }

    LineProtocol addTimes(Sample sample) {
        add(TableSchema.PROCESSES, sample.jvm(), sample.wallUs(), sample);
        sample.threads().forEach(times -> add(TableSchema.SAMPLES, sample.jvm(), sample.wallUs(), times));
        sample.pools().forEach(times -> add(TableSchema.VIRTUAL_POOLS, sample.jvm(), sample.wallUs(), times));
        return this;
    }

    LineProtocol addNames(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        names.forEach(name -> add(TableSchema.THREADS, jvm, wallUs, name));
        return this;
    }

    LineProtocol add(Gap gap) {
        add(TableSchema.GAPS, gap.jvm(), gap.beginUs(), gap);
        return this;
    }

    LineProtocol add(Throttling throttling) {
        add(TableSchema.THROTTLING, throttling.jvm(), throttling.beginUs(), throttling);
        return this;
    }

    /** Symbols come first, as the protocol requires. */
    private <R> void add(TableSchema<R> table, JvmName jvm, long wallUs, R values) {
        text.append(prefix).append(table);
        symbol("jvm", jvm.key());
        for (TableSchema.Column<R> column : table.columns()) {
            if (column.type() == TableSchema.Column.Type.SYMBOL) {
                symbol(column.name(), column.text().apply(values));
            }
        }
        char separator = ' ';
        for (TableSchema.Column<R> column : table.columns()) {
            if (column.type() != TableSchema.Column.Type.SYMBOL && isKnown(column, values)) {
                text.append(separator).append(column.name()).append('=');
                field(column, values);
                separator = ',';
            }
        }
        text.append(' ').append(wallUs * NS_PER_US).append('\n');
    }

    /** The protocol has no word for null. */
    private static <R> boolean isKnown(TableSchema.Column<R> column, R values) {
        return column.number() == null || column.number().applyAsLong(values) != Sample.ThreadTimes.UNKNOWN;
    }

    private <R> void field(TableSchema.Column<R> column, R values) {
        if (column.type() == TableSchema.Column.Type.VARCHAR) {
            text.append('"');
            escaped(column.text().apply(values), "\"\\");
            text.append('"');
        } else {
            text.append(column.number().applyAsLong(values))
                    .append(column.type() == TableSchema.Column.Type.TIMESTAMP ? 't' : 'i');
        }
    }

    private void symbol(String name, String symbol) {
        text.append(',').append(name).append('=');
        escaped(symbol, " ,=\\");
    }

    private void escaped(String value, String special) {
        for (char c : value.toCharArray()) {
            text.append(special.indexOf(c) < 0 ? "" : "\\").append(Character.isISOControl(c) ? '?' : c);
        }
    }

    byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
