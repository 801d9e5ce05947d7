// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.ForeignPath;
import io.threadclock.cli.process.JvmFlags;
import io.threadclock.cli.process.MemoryMap.MappedFile;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A short-lived JVM of the target's JDK, in which that JDK's own calls are tried. Nothing is done to the target, which
 * may be in production. The JDK of another user is not run, as that user would get something of ours. The JDK of a container is not run,
 * because it would run outside of the container's limits.
 */
final class ProbeJvm {
    private static final String MAIN = "io.threadclock.cli.probe.UserTimeProbe";
    private static final String JAVA = "bin/java";
    /** In lib/server, and in lib/amd64/server of JDK 8. */
    private static final Pattern LIBJVM = Pattern.compile("(/.*)/lib(?:/[^/]+)?/[^/]+/libjvm\\.so");

    private static final int PHASES = 16;
    private static final long TRAP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int LEAST_BURSTS = 4;
    private static final long LONGEST_MS = 60_000;
    private static final List<String> OPTIONS =
            List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx32m");

    private final Target target;
    private final long tickNs;

    ProbeJvm(Target target, long tickNs) {
        this.target = target;
        this.tickNs = tickNs;
    }

    /** The folder of a JVM's JDK or JRE as the JVM sees it, told by the path of its libjvm.so. */
    static Optional<Path> home(Target target) {
        return libjvm(target)
                .map(LIBJVM::matcher)
                .filter(Matcher::matches)
                .flatMap(path -> ForeignPath.of(path.group(1)));
    }

    private static Optional<String> libjvm(Target target) {
        return libjvms(target).map(MappedFile::path).findFirst();
    }

    private static Stream<MappedFile> libjvms(Target target) {
        return target.code("libjvm.so"::equals).stream();
    }

    /**
     * Measures the JDK's own calls in a second and a half.
     *
     * @throws IOException with the reason why they cannot be measured
     */
    UserTimeCall run() throws IOException {
        try {
            List<String> command = command(java());
            target.confirm();
            return UserTimeCall.parse(output(command), tickNs);
        } catch (IllegalArgumentException another) {
            throw new IOException(another.getMessage(), another);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** A java of our user's and in our own root directory, which nobody but root and that user can replace. */
    private Path java() throws IOException {
        if (!target.self().isSameUser(target.status())) {
            throw new IOException("it is another user's, whose programs are not run");
        }
        Path java = home(target)
                .map(home -> home.resolve(JAVA))
                .orElseThrow(() -> new IOException("its libjvm.so is in no JDK with bin/java"));
        boolean isOurRoot = target.sees(Path.of("/"));
        if (isOurRoot && isReplaced()) {
            throw new IOException("it was removed, or another one put in its place, after this JVM had started");
        }
        if (isOurRoot && !Files.isExecutable(java)) {
            throw new IOException("there is no " + java);
        }
        if (!isOurRoot || !target.sees(java)) {
            throw new IOException("it has another root directory, whose programs are not run from here");
        }
        Path library = libjvm(target)
                .flatMap(ForeignPath::of)
                .orElseThrow(() -> new IOException("this locale has no name for its libjvm.so"));
        for (Path file : List.of(library.toRealPath(), java.toRealPath())) {
            Optional<String> doubt = target.placeHere().doubt(file);
            if (doubt.isPresent()) {
                throw new IOException("others may have put its JDK there, " + doubt.get());
            }
        }
        return java.toRealPath();
    }

    private boolean isReplaced() {
        return libjvms(target).anyMatch(MappedFile::isDeleted)
                || !target.files().hasItsProgram();
    }

    private List<String> command(Path java) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", jar().toString(), MAIN));
        long bursts = Math.max(LEAST_BURSTS, TRAP_NS / (PHASES * tickNs));
        command.addAll(List.of(Long.toString(tickNs), Integer.toString(PHASES), Long.toString(bursts)));
        return command;
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        JvmFlags.VARIABLES.forEach(builder.environment()::remove);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly)); // if we are interrupted
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> beginning(process));
        boolean hasEnded = process.waitFor(LONGEST_MS, TimeUnit.MILLISECONDS);
        process.destroyForcibly();
        String text = output.join();
        if (!hasEnded || process.exitValue() != 0) {
            throw new IOException("a JVM of its JDK " + (hasEnded ? "failed: " : "did not end: ")
                    + text.lines().filter(line -> !line.isBlank()).findFirst().orElse("it said nothing"));
        }
        return text;
    }

    private static String beginning(Process process) {
        try (InputStream output = process.getInputStream()) {
            return new String(output.readNBytes(Bounds.PROBE_OUTPUT_BYTES), StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }

    private static Path jar() throws IOException {
        String entry = MAIN.replace('.', '/') + ".class";
        Path jar = Files.createTempFile("threadclock-", ".jar");
        jar.toFile().deleteOnExit();
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                InputStream bytes = ProbeJvm.class.getResourceAsStream("/" + entry)) {
            zip.putNextEntry(new ZipEntry(entry));
            bytes.transferTo(zip);
        }
        return jar;
    }
}
