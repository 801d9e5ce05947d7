// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.FileStat;
import io.threadclock.cli.process.LinkFreePath;
import io.threadclock.cli.process.OpenFolder;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.SocketFile;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.process.UnprivilegedProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks the JVM by a process of the JVM's user, because HotSpot 8 answers nobody else, not even root. Only root can do
 * this.
 */
final class OtherUser {
    /** Added to the timeouts of the question itself, because a Java runtime starts first. */
    private static final long MARGIN_MS = 10_000;

    private static final String PUBLIC = "rwxr-xr-x";
    /** The classes of this program that the process needs. */
    private static final List<Class<?>> CLIENT = List.of(
            AttachClient.class,
            AttachSocket.class,
            AttachAnswer.class,
            AttachAnswer.Kind.class,
            JvmStart.class,
            OpenFolder.class,
            FileStat.class,
            SocketFile.class,
            LinkFreePath.class);

    private final Target target;
    private final long timeoutMs;

    OtherUser(Target target, long timeoutMs) {
        this.target = target;
        this.timeoutMs = timeoutMs;
    }

    /** See {@link AttachClient#load}. */
    AttachAnswer load(String library, String options) {
        try {
            return answerOf(command(classesForEverybody(), library, options));
        } catch (IOException refused) {
            throw new Refusal(
                    "asking process " + target.pid() + " as its user "
                            + target.status().uid(),
                    "no process of that user could be started, " + refused.getMessage(),
                    "Install util-linux and a JDK that this user can run, or run this as that user.");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return AttachAnswer.silent();
        }
    }

    private List<String> command(Path classes, String library, String options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", classes.toString(), AttachClient.class.getName()));
        String user = Integer.toString(target.status().uid());
        command.addAll(List.of(
                Integer.toString(target.pid()), Integer.toString(target.status().namespacePid()), user));
        command.addAll(List.of(Long.toString(timeoutMs), library, options));
        return command;
    }

    private AttachAnswer answerOf(List<String> command) throws IOException, InterruptedException {
        long beginNs = System.nanoTime();
        UnprivilegedProgram.Result result;
        try (OpenFolder tmp = target.openTmp()) {
            result = new UnprivilegedProgram(target).run(command, tmp.pathForOthers(), 2 * timeoutMs + MARGIN_MS);
        }
        if (!result.hasEnded()) {
            // Nobody knows how far the process has come; it may have asked.
            return AttachAnswer.unanswered("", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs));
        }
        return result.text()
                .lines()
                .flatMap(line -> AttachAnswer.ofLine(line).stream())
                .findFirst()
                .orElseThrow(() -> new IOException(result.firstLine().orElse("no answer")));
    }

    /**
     * Copies the classes of the client to where that user can read them, until this program ends. Ours may be in /root.
     */
    private static Path classesForEverybody() throws IOException {
        Path directory = shared(Files.createTempDirectory(Path.of("/tmp"), "threadclock-"));
        for (Class<?> type : CLIENT) {
            Path place = directory;
            for (String name : type.getPackageName().split("\\.")) {
                place = place.resolve(name);
                if (!Files.exists(place)) {
                    shared(Files.createDirectory(place));
                }
            }
            String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
            try (InputStream bytes = type.getResourceAsStream(file)) {
                Files.copy(bytes, place.resolve(file));
            }
            shared(place.resolve(file));
        }
        return directory;
    }

    private static Path shared(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(PUBLIC));
        // Files are deleted in reverse order, so a directory goes after its content.
        file.toFile().deleteOnExit();
        return file;
    }
}
