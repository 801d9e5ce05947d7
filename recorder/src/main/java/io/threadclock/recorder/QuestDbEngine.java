// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.cairo.CairoEngine;
import io.questdb.cairo.CairoError;
import io.questdb.cairo.CairoException;
import io.questdb.cairo.DefaultCairoConfiguration;
import io.questdb.cairo.SecurityContext;
import io.questdb.cairo.security.AllowAllSecurityContext;
import io.questdb.cairo.security.ReadOnlySecurityContext;
import io.questdb.cairo.sql.Record;
import io.questdb.cairo.sql.RecordCursor;
import io.questdb.cairo.sql.RecordCursorFactory;
import io.questdb.griffin.SqlException;
import io.questdb.griffin.SqlExecutionContextImpl;
import io.questdb.std.FlyweightMessageContainer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** QuestDB without its server, in this JVM. One process at a time writes to a directory; others may read meanwhile. */
final class QuestDbEngine implements AutoCloseable {
    /** Each column of each table is longer than its rows by up to this much while it is written to. */
    private static final int APPEND_BYTES = 1 << 18;

    /** The names of threads, and the times of their work, are private. */
    private static final FileAttribute<?> OWNERS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;
    private final CairoEngine cairo;
    private final SqlExecutionContextImpl context;

    private QuestDbEngine(Path directory, CairoEngine cairo, SecurityContext security) {
        this.directory = directory;
        this.cairo = cairo;
        this.context = new SqlExecutionContextImpl(cairo, 1);
        context.with(security, null, null);
    }

    /** The folder of QuestDB's own files, as its server expects them below its directory. */
    static Path database(Path directory) {
        return directory.resolve("db");
    }

    /** @throws StoreFailure if it cannot be written to, or another process writes to it */
    static QuestDbEngine writing(Path directory) {
        String tried = "opening " + directory + " to write";
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory.toAbsolutePath().getParent());
                Files.createDirectory(directory, OWNERS_ALONE);
            }
            PrivateDirectory.verify(directory, tried);
            Files.createDirectories(database(directory));
        } catch (IOException failure) {
            throw new StoreFailure(tried, "it cannot be made, " + failure, "Name another one by --dir.");
        }
        return open(directory, false, tried, "Name another one by --dir, or end the other recorder.");
    }

    /** @throws StoreFailure if there is nothing to read */
    static QuestDbEngine reading(Path directory) {
        if (!Files.isDirectory(database(directory))) {
            throw nothing(directory);
        }
        PrivateDirectory.verify(directory, reads(directory));
        return open(directory, true, reads(directory), "Run this as a user who may read it.");
    }

    private static String reads(Path directory) {
        return "opening " + directory + " to read";
    }

    static StoreFailure nothing(Path directory) {
        return new StoreFailure(
                reads(directory),
                "nothing has been recorded there",
                "Name the directory by --dir, or run record first.");
    }

    private static QuestDbEngine open(Path directory, boolean isReader, String tried, String remedy) {
        load(directory);
        try {
            CairoEngine cairo =
                    new CairoEngine(new Configuration(database(directory).toString(), isReader));
            cairo.buildViewGraphs(); // otherwise it does not know the views that exist already
            return new QuestDbEngine(
                    directory, cairo, isReader ? ReadOnlySecurityContext.INSTANCE : AllowAllSecurityContext.INSTANCE);
        } catch (CairoException | CairoError refused) {
            String answer = answer(refused);
            boolean isTaken = answer.contains("cannot lock");
            throw new StoreFailure(
                    tried, isTaken ? "another process writes to it" : "QuestDB refuses it, " + answer, remedy);
        }
    }

    /** What QuestDB says, without the names of its classes. */
    static String answer(Throwable refused) {
        Throwable first = refused.getCause() instanceof FlyweightMessageContainer ? refused.getCause() : refused;
        return first instanceof FlyweightMessageContainer said
                ? said.getFlyweightMessage().toString()
                : first.getMessage();
    }

    /** On musl its native code could not be loaded, and QuestDB does not say why. */
    static void load(Path directory) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            if (lines.anyMatch(line -> line.contains("/ld-musl-"))) {
                throw new StoreFailure(
                        "starting QuestDB",
                        "this Java is of musl, and QuestDB has no native code for that",
                        "Run this command by a Java for glibc, or record to a QuestDB elsewhere by --to.");
            }
        } catch (IOException hidden) {
            // Then the native code tells.
        }
        QuestDbLibraries.load(directory);
    }

    /** Whatever is configured, QuestDB prints where its configuration is, and that it ends. Users must not see this. */
    static void inSilence(Runnable action) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        try {
            action.run();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /**
     * QuestDB refuses a table for ever if it was killed while it created it: its directory exists, and no list names
     * it.
     *
     * @throws StoreFailure if there are hours in the directory, which an unfinished table does not have
     */
    void removeUnfinished(TableSchema<?> table) {
        Path files = database(directory).resolve(table.toString());
        if (cairo.getTableTokenIfExists(table.toString()) != null || !Files.isDirectory(files)) {
            return;
        }
        try (Stream<Path> listed = Files.list(files)) {
            List<Path> left = listed.toList();
            if (left.stream().anyMatch(Files::isDirectory)) {
                throw new IOException("it holds data, and QuestDB does not know it");
            }
            for (Path file : left) {
                Files.delete(file);
            }
            Files.delete(files);
        } catch (IOException failure) {
            throw new StoreFailure(
                    "making " + files, failure.getMessage(), "Move it away, or name another directory by --dir.");
        }
    }

    /**
     * Runs a query in the calling thread.
     *
     * @throws StoreFailure if the database refuses it
     */
    void each(String sql, Consumer<Row> action) {
        try (RecordCursorFactory query = cairo.select(sql, context);
                RecordCursor rows = query.getCursor(context)) {
            Row row = new Row(rows.getRecord());
            while (rows.hasNext()) {
                action.accept(row);
            }
        } catch (SqlException | CairoException refused) {
            throw refusal(sql, refused.getMessage());
        }
    }

    static StoreFailure refusal(String sql, String answer) {
        return new StoreFailure("running the query " + sql, answer, "Correct it; docs/record.md has the tables.");
    }

    /** The row of the cursor. */
    record Row(Record record) {
        long timestampUs(int column) {
            return record.getTimestamp(column);
        }

        long number(int column) {
            return record.getLong(column);
        }

        int small(int column) {
            return record.getInt(column);
        }

        String symbol(int column) {
            return Objects.toString(record.getSymA(column), "");
        }

        String text(int column) {
            return Objects.toString(record.getVarcharA(column), "");
        }
    }

    CairoEngine cairo() {
        return cairo;
    }

    SqlExecutionContextImpl context() {
        return context;
    }

    @Override
    public void close() {
        context.close();
        cairo.close();
    }

    private static final class Configuration extends DefaultCairoConfiguration {
        private final boolean isReader;

        Configuration(String root, boolean isReader) {
            super(root);
            this.isReader = isReader;
        }

        @Override
        public boolean isReadOnlyInstance() {
            return isReader;
        }

        @Override
        public long getDataAppendPageSize() {
            return APPEND_BYTES;
        }

        @Override
        public int getO3ColumnMemorySize() {
            return APPEND_BYTES;
        }
    }
}
