// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.cairo.CairoError;
import io.questdb.cairo.CairoException;
import io.questdb.cairo.TableWriter;
import io.questdb.griffin.SqlException;
import io.questdb.std.str.Utf8String;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The embedded database. The first sample is committed at once, later ones once a second. Committed samples survive the
 * end of this process and of the JVM, because QuestDB writes through shared mappings, whose pages belong to the kernel,
 * and shows them to readers last. Only a machine that loses its power can lose more: whatever its kernel had not
 * written yet.
 */
public final class Store implements SampleSink {
    private static final long COMMIT_EVERY_US = TimeUnit.SECONDS.toMicros(1);
    private static final double BYTES_PER_MB = 1 << 20;
    private static final long HOUR_US = TimeUnit.HOURS.toMicros(1);

    /** The process comes last, so that a sample with a row there is complete. */
    private static final List<TableSchema<?>> COMMITTED = List.of(
            TableSchema.GAPS,
            TableSchema.THREADS,
            TableSchema.SAMPLES,
            TableSchema.VIRTUAL_POOLS,
            TableSchema.THROTTLING,
            TableSchema.PROCESSES);

    private final QuestDbEngine engine;
    private final Map<TableSchema<?>, TableWriter> writers = new IdentityHashMap<>();
    private final Retention retention;
    private final Path directory;
    private long committedUs;
    private long lost;
    private Gap full;
    private StoreFailure refused;
    private boolean isClosed;

    private Store(QuestDbEngine engine, Path directory, RetentionLimits keep) {
        this.engine = engine;
        this.directory = directory;
        this.retention = new Retention(QuestDbEngine.database(directory), keep, writers);
    }

    /** @throws StoreFailure if it cannot be opened */
    public static Store open(Path directory, RetentionLimits keep) {
        QuestDbEngine engine = QuestDbEngine.writing(directory);
        Store store = new Store(engine, directory, keep);
        try {
            for (TableSchema<?> table : TableSchema.ALL) {
                engine.removeUnfinished(table);
                engine.cairo().execute(table.toSql(), engine.context());
            }
            for (TableSchema<?> table : TableSchema.ALL) {
                store.writers.put(
                        table, engine.cairo().getWriter(engine.cairo().verifyTableName(table.toString()), "record"));
            }
            engine.cairo().execute(TableSchema.namesToSql(""), engine.context());
        } catch (SqlException | CairoException | CairoError refused) {
            store.closeAll();
            throw new StoreFailure(
                    "opening the tables in " + directory,
                    QuestDbEngine.answer(refused),
                    "Name another directory by --dir.");
        }
        return store;
    }

    @Override
    public OptionalLong lastSampleUs(JvmName jvm) {
        String ofJvm = " where jvm = '" + jvm.key().replace("'", "''") + "'";
        long[] last = {Long.MIN_VALUE};
        for (TableSchema<?> table : List.of(TableSchema.PROCESSES, TableSchema.SAMPLES)) {
            engine.each(
                    "select max(timestamp) from " + table + ofJvm,
                    row -> last[0] = Math.max(last[0], row.timestampUs(0)));
        }
        return last[0] == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(last[0]);
    }

    @Override
    public void put(Sample sample) {
        if (isFull(sample.wallUs())) {
            full = new Gap(sample.jvm(), full.beginUs(), sample.wallUs(), Gap.Reason.FULL, full.lostSamples() + 1);
            lost++;
            return;
        }
        orRefuse(() -> {
            writeNames(sample.jvm(), sample.wallUs(), sample.names());
            sample.threads().forEach(times -> write(TableSchema.SAMPLES, sample.jvm(), sample.wallUs(), times));
            sample.pools().forEach(times -> write(TableSchema.VIRTUAL_POOLS, sample.jvm(), sample.wallUs(), times));
            write(TableSchema.PROCESSES, sample.jvm(), sample.wallUs(), sample);
            if (sample.wallUs() - committedUs >= COMMIT_EVERY_US || sample.wallUs() < committedUs) {
                commit(sample);
            }
        });
    }

    /** For example, the disk is full. QuestDB throws an error instead if that leaves a table in an unknown state. */
    private void orRefuse(Runnable writing) {
        try {
            writing.run();
        } catch (CairoException | CairoError | InternalError failure) {
            refused = new StoreFailure(
                    "writing to " + directory,
                    "QuestDB answers " + QuestDbEngine.answer(failure),
                    "Make room there, or name another directory by --dir.");
            throw refused;
        }
    }

    /** Makes room when an hour ends. */
    private boolean isFull(long wallUs) {
        if (full == null || wallUs / HOUR_US == full.beginUs() / HOUR_US) {
            return full != null;
        }
        Gap ended = full;
        full = null;
        put(ended);
        return false;
    }

    @Override
    public void put(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        orRefuse(() -> writeNames(jvm, wallUs, names));
    }

    private void writeNames(JvmName jvm, long wallUs, List<Sample.ThreadName> names) {
        names.forEach(name -> write(TableSchema.THREADS, jvm, wallUs, name));
    }

    @Override
    public void put(Gap gap) {
        orRefuse(() -> write(TableSchema.GAPS, gap.jvm(), gap.beginUs(), gap));
    }

    @Override
    public void put(Throttling throttling) {
        if (full == null) {
            orRefuse(() -> write(TableSchema.THROTTLING, throttling.jvm(), throttling.beginUs(), throttling));
        }
    }

    private <R> void write(TableSchema<R> table, JvmName jvm, long wallUs, R values) {
        TableWriter.Row row = writers.get(table).newRow(wallUs);
        int index = 0; // the index of the timestamp
        row.putSym(++index, jvm.key());
        for (TableSchema.Column<R> column : table.columns()) {
            index++;
            switch (column.type()) {
                case SYMBOL -> row.putSym(index, column.text().apply(values));
                case VARCHAR ->
                    row.putVarchar(index, new Utf8String(column.text().apply(values)));
                case INT -> row.putInt(index, (int) column.number().applyAsLong(values));
                case LONG -> row.putLong(index, column.number().applyAsLong(values));
                case TIMESTAMP -> row.putTimestamp(index, column.number().applyAsLong(values));
            }
        }
        row.append();
    }

    private void commit(Sample sample) {
        refuseRemoved();
        COMMITTED.forEach(table -> writers.get(table).commit());
        committedUs = sample.wallUs();
        if (!retention.makeRoom(sample.wallUs())) {
            full = new Gap(sample.jvm(), sample.wallUs(), sample.wallUs(), Gap.Reason.FULL, 0);
        }
    }

    /**
     * Files that are open could be written to all the same, and nobody would ever see them; QuestDB makes new hours.
     */
    private void refuseRemoved() {
        Path transactions = QuestDbEngine.database(directory)
                .resolve(TableSchema.PROCESSES.toString())
                .resolve("_txn");
        if (!Files.exists(transactions)) {
            refused = new StoreFailure(
                    "writing to " + directory, "it has been removed", "Record again, to a directory that stays.");
            throw refused;
        }
    }

    @Override
    public String status() {
        return String.format(
                Locale.ROOT,
                "%,.1f MB%s",
                retention.bytes() / BYTES_PER_MB,
                lost == 0 ? "" : String.format(Locale.ROOT, ", %,d LOST", lost));
    }

    @Override
    public String trouble() {
        return full == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%s is full until the hour ends: %,d samples are lost",
                        directory,
                        full.lostSamples());
    }

    @Override
    public long bytes() {
        return retention.bytes();
    }

    /** Samples for which there was no room. They are in the table of gaps, too. */
    @Override
    public long lostSamples() {
        return lost;
    }

    @Override
    public Optional<StoreFailure> loss() {
        if (lost == 0) {
            return Optional.empty();
        }
        String answer = String.format(
                Locale.ROOT, "%,d samples are lost, for this hour alone is larger than may be kept", lost);
        return Optional.of(
                new StoreFailure("writing to " + directory, answer, "Give more room by --keep, or lower --rate."));
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        boolean isRefused = refused != null;
        try {
            finish();
        } catch (StoreFailure failure) {
            if (!isRefused) { // otherwise put() has told it
                throw failure;
            }
        } finally {
            closeAll();
            retention.look();
        }
    }

    private void finish() {
        refuseRemoved();
        if (full != null) {
            put(full);
        }
        orRefuse(() -> COMMITTED.forEach(table -> writers.get(table).commit()));
    }

    /** Drops what was not committed. Closing a table that was refused something may be refused as well. */
    private void closeAll() {
        for (TableWriter writer : writers.values()) {
            try {
                writer.close();
            } catch (CairoException | CairoError | InternalError toldAlready) {
                continue;
            }
        }
        engine.close();
    }
}
