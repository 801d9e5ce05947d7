// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.log.LogFactory;
import io.questdb.std.Os;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * QuestDB's native code, which is unpacked into a new directory, loaded, and removed at once. By itself, QuestDB would
 * unpack it where the JVM keeps temporary files, fail for good where that is mounted noexec, and leave the files if it
 * is killed.
 */
public final class QuestDbLibraries {
    private static final String IN_JAR =
            "/io/questdb/bin/linux-" + System.getProperty("os.arch").replace("amd64", "x86-64") + "/";
    private static final List<String> NAMES = List.of("libquestdb.so", "libquestdbr.so");
    /** QuestDB loads them from the folder in this property: again, which does nothing. */
    private static final String FOLDER_PROPERTY = "questdb.libs.dir";
    /** QuestDB reads the path of its logging configuration from this property. */
    private static final String LOG_CONF_PROPERTY = "out";

    private static final List<String> LOG_CONF = List.of(
            "writers=file",
            "w.file.class=io.questdb.log.LogFileWriter",
            "w.file.location=/dev/null",
            "w.file.level=CRITICAL");

    private static Path named;
    private static boolean areLoaded;

    private QuestDbLibraries() {}

    /** Names a folder for temporary files, to be used in place of the JVM's and of the recording's own directory. */
    public static synchronized void use(Path folder) {
        named = folder;
    }

    static synchronized Path temporary() {
        return named == null ? Path.of(System.getProperty("java.io.tmpdir")) : named;
    }

    /**
     * Loads them once.
     *
     * @param recording the directory to use where temporary files cannot be loaded
     * @throws StoreFailure if no folder can be used
     */
    static synchronized void load(Path recording) {
        List<String> answers = new ArrayList<>();
        List<Path> folders = named == null ? List.of(temporary(), recording) : List.of(named);
        areLoaded = areLoaded || folders.stream().anyMatch(folder -> areLoadedFrom(folder, answers));
        if (!areLoaded) {
            throw new StoreFailure(
                    "loading QuestDB's native code",
                    String.join("; ", answers),
                    "Name a folder with some 10 MB of room, not mounted noexec, by --tmp=FOLDER.");
        }
    }

    private static boolean areLoadedFrom(Path folder, List<String> answers) {
        try {
            loadFrom(Files.createTempDirectory(folder.toAbsolutePath(), "threadclock-questdb"));
            return true;
        } catch (IOException refused) {
            answers.add("it cannot be unpacked into " + folder + ", " + refused);
        } catch (LinkageError refused) {
            answers.add("in " + folder + ", " + refused.getMessage().replaceFirst("(?s).*: ", ""));
        }
        return false;
    }

    private static void loadFrom(Path folder) throws IOException {
        Path conf = folder.resolve("log.conf");
        try {
            for (String name : NAMES) {
                unpack(name, folder.resolve(name));
                System.load(folder.resolve(name).toString());
            }
            startQuestDb(folder, Files.write(conf, LOG_CONF));
        } finally {
            for (String name : NAMES) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.deleteIfExists(conf);
            Files.delete(folder);
        }
    }

    private static void unpack(String name, Path file) throws IOException {
        try (InputStream packed = QuestDbLibraries.class.getResourceAsStream(IN_JAR + name)) {
            Files.copy(packed, file);
        }
    }

    /** Errors are thrown as well as logged. */
    private static void startQuestDb(Path folder, Path conf) {
        System.setProperty(FOLDER_PROPERTY, folder.toString());
        System.setProperty(LOG_CONF_PROPERTY, conf.toString());
        QuestDbEngine.inSilence(() -> {
            Os.init();
            LogFactory.getInstance();
        });
    }
}
