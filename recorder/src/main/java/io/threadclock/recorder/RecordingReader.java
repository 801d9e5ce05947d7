// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

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
        for (TableSchema<?> table : TableSchema.ALL) {
            if (engine.cairo().getTableTokenIfExists(table.toString()) == null) {
                engine.close();
                throw QuestDbEngine.nothing(directory);
            }
        }
        return new RecordingReader(engine);
    }

    void each(String sql, Consumer<QuestDbEngine.Row> action) {
        engine.each(sql, action);
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
