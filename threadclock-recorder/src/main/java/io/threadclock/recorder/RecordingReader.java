// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.cairo.sql.TableMetadata;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads the recording in a directory, also while it is being written. */
public final class RecordingReader implements AutoCloseable {
    private final QuestDbEngine engine;

    private RecordingReader(QuestDbEngine engine) {
        this.engine = engine;
    }

    /** @throws StoreFailure if there is nothing */
    public static RecordingReader open(Path directory) {
        QuestDbEngine engine = QuestDbEngine.reading(directory);
        RecordingReader reading = new RecordingReader(engine);
        for (TableSchema<?> table : TableSchema.ALL) {
            if (!TableSchema.NEWER.contains(table) && !reading.has(table)) {
                reading.close();
                throw QuestDbEngine.nothing(directory);
            }
        }
        return reading;
    }

    boolean has(TableSchema<?> table) {
        return engine.cairo().getTableTokenIfExists(table.toString()) != null;
    }

    /** Whether recordings of its version have the time for which threads have waited. */
    boolean hasWaiting() {
        try (TableMetadata columns =
                engine.cairo().getTableMetadata(engine.cairo().verifyTableName(TableSchema.SAMPLES.toString()))) {
            return columns.getColumnIndexQuiet(TableSchema.WAITING) >= 0;
        }
    }

    void each(String sql, Consumer<Query.Row> action) {
        new Query(engine).each(sql, action);
    }

    /** Returns the first column of the first row. */
    long number(String sql) {
        long[] number = new long[1];
        each(sql, row -> number[0] = row.number(0));
        return number[0];
    }

    QuestDbEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        engine.close();
    }
}
