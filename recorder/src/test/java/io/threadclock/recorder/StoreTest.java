// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdks;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
    private static final long SECOND_US = 1_000_000;

    @TempDir
    Path directory;

    @Test
    void keepsWhatItIsGivenAndShowsItWhileItIsBeingWritten() {
        try (Store store = MadeUp.store(directory)) {
            assertThat(store.lastSampleUs(MadeUp.JVM)).isEmpty();
            store.put(new Gap(MadeUp.JVM, MadeUp.BEGIN_US, MadeUp.BEGIN_US + 5, Gap.Reason.SILENT, 7));
            store.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 3, true));
            assertThat(store.lastSampleUs(MadeUp.JVM)).hasValue(MadeUp.BEGIN_US);
            assertThat(store.lastSampleUs(new JvmName("host", "it's", 1, 1))).isEmpty();
            try (RecordingReader reading = RecordingReader.open(directory)) {
                assertThat(reading.number("select sum(user_ns) from samples")).isEqualTo(6000);
                assertThat(reading.number("select sum(system_ns) from processes"))
                        .isEqualTo(600);
                assertThat(reading.number("select sum(lost_samples) from gaps where reason = 'silent'"))
                        .isEqualTo(7);
                assertThat(names(reading)).containsExactly("worker-1", "GC Thread#2", "http-nio-8080-exec-3");
            }
            MadeUp.refused(() -> MadeUp.store(directory), "another process writes to it");
        }
    }

    @Test
    void keepsNamesAsTheyAreWhateverTheyAre() {
        List<String> hostile = new ArrayList<>(MadeUp.HOSTILE_NAMES);
        hostile.add(MadeUp.TWO_LINES);
        store(MadeUp.named(MadeUp.BEGIN_US, SECOND_US, hostile));
        assertThat(MadeUp.read(directory, StoreTest::names)).isEqualTo(hostile);
    }

    @Test
    void letsNobodyElseReadADirectoryThatItMakes() throws IOException {
        Path made = directory.resolve("below/made");
        MadeUp.store(made).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
    }

    @Test
    void saysBeforeAnythingElseThatQuestDbCannotRunOnMusl() throws IOException {
        Path musl = Files.write(directory.resolve("ld-musl-x86_64.so.1"), new byte[4096]);
        assertThat(opened(List.of("env"), directory.resolve("data"), musl)).startsWith("this Java is of musl");
    }

    /** Neither place of its native code keeps anything. */
    @Test
    void whereNoLibraryMayBeLoadedFromTmpItLoadsItsOwnFromTheRecording() throws Exception {
        Path tmp = Files.createDirectory(directory.resolve("tmp"));
        Path mapped = Files.write(directory.resolve("file"), new byte[4096]);
        String mount = "mount -t tmpfs -o noexec,size=64m tmpfs " + tmp + " && \"$@\" && ls -A " + tmp;
        List<String> noexec = List.of("unshare", "-m", "sh", "-c", mount, "sh");
        List<String> tried = Stream.concat(noexec.stream(), Stream.of("true")).toList();
        assumeTrue(new ProcessBuilder(tried).start().waitFor() == 0, "this user may not mount by unshare(1)");
        Path data = directory.resolve("data");
        assertThat(opened(noexec, data, mapped)).isEmpty();
        assertThat(data).isDirectoryContaining("glob:**/db");
        assertThat(opened(noexec, data, mapped, tmp))
                .isEqualTo("in " + tmp + ", failed to map segment from shared object\n");
        assertThat(opened(noexec, tmp.resolve("data"), mapped))
                .containsSubsequence("in " + tmp + ", failed to map", "in " + tmp.resolve("data") + ", failed to map");
        assertThat(data).isDirectoryNotContaining("glob:**/threadclock*");
    }

    private String opened(List<String> starter, Path... arguments) {
        return ChildJvm.on(Jdks.running())
                .startedBy(starter.toArray(String[]::new))
                .jvmOptions("-Djava.io.tmpdir=" + directory.resolve("tmp"))
                .mainClass(Opened.class)
                .arguments(Stream.of(arguments).map(Path::toString).toArray(String[]::new))
                .run()
                .stdout();
    }

    /**
     * Opens a database, with a file mapped, such as one with musl's name; the folder for temporary files may be named.
     */
    static final class Opened {
        public static void main(String[] arguments) throws IOException {
            if (arguments.length > 2) {
                QuestDbLibraries.use(Path.of(arguments[2]));
            }
            try (FileChannel file = FileChannel.open(Path.of(arguments[1]))) {
                MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
                MadeUp.store(Path.of(arguments[0])).close();
                Reference.reachabilityFence(mapped);
            } catch (StoreFailure failure) {
                System.out.println(failure.answer());
            }
        }
    }

    @Test
    void makesATableAnewWhoseMakingWasKilled() throws IOException {
        QuestDbEngine.writing(directory).close();
        Path unfinished =
                Files.createDirectories(QuestDbEngine.database(directory).resolve("processes"));
        Files.write(unfinished.resolve("_meta"), new byte[4096]);
        store(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 3, true));
        assertThat(number("select count() from processes")).isEqualTo(1);
    }

    @Test
    void removesNoTableThatHasAnHour() throws IOException {
        QuestDbEngine.writing(directory).close();
        Path hour = Files.createDirectories(QuestDbEngine.database(directory).resolve("processes/2026-01-01T00"));
        Files.write(hour.resolve("user_ns.d"), new byte[8]);
        MadeUp.refused(() -> MadeUp.store(directory), "it holds data");
        assertThat(hour.resolve("user_ns.d")).exists();
    }

    @Test
    void takesSamplesOfAClockThatWasSetBack() {
        store(
                MadeUp.sample(MadeUp.BEGIN_US + 2 * MadeUp.HOUR_US, SECOND_US, 3, true),
                MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 3, false),
                MadeUp.sample(MadeUp.BEGIN_US + SECOND_US, SECOND_US, 3, false));
        assertThat(number("select count() from samples")).isEqualTo(9);
    }

    private void store(Sample... samples) {
        MadeUp.record(directory, store -> List.of(samples).forEach(store::put));
    }

    private long number(String sql) {
        return MadeUp.read(directory, reading -> reading.number(sql));
    }

    @Test
    void dropsHoursThatAreTooOld() {
        try (Store store =
                Store.open(directory, new RetentionLimits(RetentionLimits.USUAL_BYTES, Duration.ofHours(2)))) {
            for (int hour = 0; hour < 6; hour++) {
                store.put(MadeUp.sample(MadeUp.BEGIN_US + hour * MadeUp.HOUR_US, SECOND_US, 3, true));
            }
        }
        assertThat(number("select count() from processes"))
                .as("hours of which something is in the last two")
                .isEqualTo(3);
        assertThat(number("select count() from threads")).isEqualTo(9);
    }

    @Test
    void neverTakesMoreOfTheDiskThanItMayAndSaysWhatIsMissing() throws IOException {
        long mostBytes = 24 << 20;
        int seconds = 450;
        int threads = 2000;
        try (Store store = Store.open(directory, new RetentionLimits(mostBytes, Duration.ofDays(1)))) {
            for (int hour = 0; hour < 2; hour++) {
                for (int second = 0; second < seconds; second++) {
                    long us = MadeUp.BEGIN_US + hour * MadeUp.HOUR_US + second * SECOND_US;
                    store.put(MadeUp.sample(us, SECOND_US, threads, second == 0));
                }
                assertThat(bytes()).as("after hour %d", hour).isLessThan(mostBytes + (mostBytes >> 1));
            }
        }
        String full = "select sum(lost_samples) from gaps where reason = 'full' and timestamp in '2026-01-01T01'";
        assertThat(number("select count() from processes where timestamp in '2026-01-01T01'") + number(full))
                .as("seconds of the last hour, kept or counted")
                .isEqualTo(seconds);
    }

    /** A column whose file cannot grow, as on a full disk, leaves QuestDB a table in an unknown state. */
    @Test
    void whatCannotBeWrittenIsToldOnceAndTheSamplesBeforeStayReadable() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "prlimit(1) of util-linux is not here");
        Store store = MadeUp.store(directory);
        store.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 3, true));
        store.put(MadeUp.sample(MadeUp.BEGIN_US + 1, SECOND_US, 3, false));
        limitFiles("4096:");
        try {
            Gap gap = new Gap(MadeUp.JVM, MadeUp.BEGIN_US + MadeUp.HOUR_US, 0, Gap.Reason.LATE, 1);
            assertThatThrownBy(() -> store.put(gap))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageNotContaining("io.questdb");
            store.close();
        } finally {
            limitFiles("unlimited:");
        }
        assertThat(number("select count() from samples")).isGreaterThanOrEqualTo(3);
    }

    private static void limitFiles(String bytes) throws Exception {
        String pid = "" + ProcessHandle.current().pid();
        assertThat(new ProcessBuilder("prlimit", "--pid=" + pid, "--fsize=" + bytes)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aDirectoryThatHasBeenRemovedIsNotWrittenToInSilence() throws IOException {
        Store store = MadeUp.store(directory);
        Files.move(QuestDbEngine.database(directory), directory.resolve("removed"));
        MadeUp.refused(() -> store.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 3, true)), "it has been removed");
        store.close();
    }

    private static List<String> names(RecordingReader reading) {
        List<String> names = new ArrayList<>();
        reading.each("select name from threads", row -> names.add(row.text(0)));
        return names;
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
