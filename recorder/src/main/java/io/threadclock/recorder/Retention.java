// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.cairo.TableWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Drops the oldest hours. The hour that is being written stays, whatever its size. */
final class Retention {
    private static final long HOUR_US = TimeUnit.HOURS.toMicros(1);
    /** The disk is checked again after this many rows, of some 50 bytes each, and at least once per interval. */
    private static final long ROWS_UNWATCHED = 100_000;

    private static final long UNWATCHED_US = TimeUnit.SECONDS.toMicros(30);

    private final Path database;
    private final RetentionLimits keep;
    private final Map<TableSchema<?>, TableWriter> writers;
    private long watchedUs;
    private long watchedRows;
    private long bytes;

    Retention(Path database, RetentionLimits keep, Map<TableSchema<?>, TableWriter> writers) {
        this.database = database;
        this.keep = keep;
        this.writers = writers;
    }

    /** The size on the disk when it was last checked. */
    long bytes() {
        return bytes;
    }

    void look() {
        bytes = measure();
    }

    /** @return whether there is room for more */
    boolean makeRoom(long nowUs) {
        long rows = writers.values().stream().mapToLong(TableWriter::size).sum();
        boolean isNewHour = nowUs / HOUR_US != watchedUs / HOUR_US;
        if (!isNewHour
                && rows - watchedRows < ROWS_UNWATCHED
                && nowUs - watchedUs < UNWATCHED_US
                && nowUs >= watchedUs) {
            return true;
        }
        long beginUs = nowUs - keep.age().toMillis() * 1000;
        look();
        OptionalLong oldest = oldest();
        while (oldest.isPresent() && (bytes > keep.bytes() || oldest.getAsLong() + HOUR_US <= beginUs)) {
            drop(oldest.getAsLong());
            look();
            oldest = oldest();
        }
        watchedUs = nowUs;
        watchedRows = writers.values().stream().mapToLong(TableWriter::size).sum();
        return bytes <= keep.bytes();
    }

    /** The begin of the oldest hour of any table that can be dropped. */
    private OptionalLong oldest() {
        return writers.values().stream()
                .filter(writer -> writer.getPartitionCount() > 1)
                .mapToLong(writer -> writer.getPartitionTimestamp(0))
                .min();
    }

    private void drop(long hourUs) {
        for (TableWriter writer : writers.values()) {
            if (writer.getPartitionCount() > 1 && writer.getPartitionTimestamp(0) == hourUs) {
                writer.removePartition(hourUs);
            }
        }
    }

    private long measure() {
        try (Stream<Path> files = Files.walk(database)) {
            return files.mapToLong(Retention::size).sum();
        } catch (IOException | UncheckedIOException changing) {
            return bytes;
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException dropped) {
            return 0;
        }
    }
}
