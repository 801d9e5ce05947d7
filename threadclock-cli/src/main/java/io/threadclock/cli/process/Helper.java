// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One run of threadclock-helper, which does in a process's own place, and with the rights of its user, what a command has
 * to do there. The program, its threats and what it does against them are in
 * threadclock-native/src/main/c/helper/main.c. Here, its user may keep it from answering, and so each wait has an end.
 */
public final class Helper implements AutoCloseable {
    /** What {@link #start} can be asked for. */
    public enum Verb {
        /** Whether the folder can be reached, and has the file. */
        LOOK,
        /** The content of a file of the process's user or root. */
        READ,
        /** To make a file that all may run, of so many bytes; they follow. */
        COPY,
        /** To connect to a socket of the process; if there is none yet, to ask for it by a file of such a name. */
        ASK,
        /** To connect to a socket of the process, and to remove it if the process is killed. */
        VIEW,
        /** To remove the sockets of the process's user whose names begin so, and at which nobody listens. */
        SWEEP
    }

    /** The variable by which the launcher names the program; without it, the one beside the library is taken. */
    private static final String VARIABLE = "THREADCLOCK_HELPER";

    private static final String LIBRARY = "THREADCLOCK_LIBRARY";
    private static final String NAME = "threadclock-helper";
    private static final Pattern LINE = Pattern.compile("([a-z]{2,10}) (\\d{1,10})");
    private static final int CHUNK_BYTES = 1 << 16;
    /** A socket's path has 107 bytes at most, of which /threadclock-RANDOM/socket takes 40. */
    private static final int LONGEST_FOLDER = 67;

    /** Added to what a request itself may take. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    /** Longer than it looks after the socket of a process that was killed. */
    private static final int END_S = 3;

    /** In place of groups that our user namespace has no number for (/proc/sys/kernel/overflowgid). */
    private static final int UNMAPPED = 65534;

    private static final int NOT_PERMITTED = 1;
    private static final int MISSING = 2;
    private static final int INVALID = 22;
    private static final int NO_DESCRIPTOR = 24;
    private static final Map<Long, String> ERRORS = Map.ofEntries(
            Map.entry(1L, "Operation not permitted"),
            Map.entry(2L, "No such file or directory"),
            Map.entry(11L, "too many others wait to be accepted"),
            Map.entry(13L, "Permission denied"),
            Map.entry(17L, "File exists"),
            Map.entry(22L, "Invalid argument"),
            Map.entry(24L, "its limit of open files is too low (prlimit --nofile)"),
            Map.entry(28L, "No space left on device"),
            Map.entry(30L, "Read-only file system"),
            Map.entry(32L, "it has hung up"),
            Map.entry(75L, "its file system has no number for this user (user namespace)"),
            Map.entry(111L, "Connection refused"),
            Map.entry(122L, "Disk quota exceeded"));

    private final Process process;
    private final SocketChannel channel;
    private final Selector selector;
    private final Path file;
    private String step = "";
    private long about;

    private Helper(Process process, SocketChannel channel, Selector selector, Path file) {
        this.process = process;
        this.channel = channel;
        this.selector = selector;
        this.file = file;
    }

    /**
     * Has it done.
     *
     * @param folder as the process sees it
     * @param timeout what the request itself may take
     * @throws IOException if the helper could not be started, or does not answer
     */
    public static Helper start(Target target, Duration timeout, Verb verb, Path folder, String name, String... options)
            throws IOException {
        long endNs = System.nanoTime() + timeout.plus(MARGIN).toNanos();
        List<String> request =
                new ArrayList<>(List.of(target.files().folderForOthers().toString(), Integer.toString(target.pid())));
        request.addAll(verb == Verb.COPY ? maker(target) : user(target));
        request.add(Long.toString(Math.max(1, timeout.toSeconds())));
        request.addAll(List.of(verb.name().toLowerCase(Locale.ROOT), folder.toString(), name));
        request.addAll(List.of(options));
        Helper helper = connected(request, folder.resolve(name), endNs);
        try {
            helper.next(endNs);
            return helper;
        } catch (IOException silent) {
            helper.process.destroyForcibly();
            helper.close();
            throw silent;
        }
    }

    /** Nobody else may enter the folder of the socket, which is there until the helper has come. */
    private static Helper connected(List<String> request, Path file, long endNs) throws IOException {
        String temporary = System.getProperty("java.io.tmpdir");
        boolean isTooLong = temporary.getBytes(StandardCharsets.UTF_8).length > LONGEST_FOLDER;
        Path place = Files.createTempDirectory(Path.of(isTooLong ? "/tmp" : temporary), "threadclock-");
        Path socket = place.resolve("socket");
        Process process = null;
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket)).configureBlocking(false);
            List<String> command = new ArrayList<>(List.of(program().toString(), socket.toString()));
            command.addAll(request);
            process = started(command);
            SocketChannel channel = accepted(server, process, endNs);
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new Helper(process, channel, selector, file);
        } catch (IOException refused) {
            if (process != null) {
                process.destroyForcibly();
            }
            throw refused;
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(place);
        }
    }

    private static Process started(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static Path program() throws IOException {
        String named = System.getenv().getOrDefault(VARIABLE, "");
        String library = System.getenv().getOrDefault(LIBRARY, "");
        if (named.isEmpty() && library.isEmpty()) {
            throw new IOException("neither " + VARIABLE + " nor " + LIBRARY + " tells where " + NAME + " is");
        }
        Path program = (named.isEmpty() ? Path.of(library).resolveSibling(NAME) : Path.of(named)).toAbsolutePath();
        if (!Files.isExecutable(program)) {
            throw new IOException("there is no " + program + " that can be run");
        }
        return program;
    }

    private static List<String> user(Target target) {
        ProcessStatus its = target.status();
        String groups = its.groups().stream()
                .filter(group -> group != UNMAPPED)
                .map(Integer::toUnsignedString)
                .collect(Collectors.joining(","));
        return rights(its.uid(), its.gid(), groups, target.sharesUserNamespace() ? its.permitted() : 0);
    }

    /** The ids that make a file for the process where ours cannot, because the file system has no number for them. */
    private static List<String> maker(Target target) {
        if (target.sharesUserNamespace()) {
            return rights(target.self().uid(), target.self().gid(), "", 0);
        }
        ProcessStatus its = target.status();
        int uid = target.files().idOfItsRoot("uid_map").orElse(its.uid());
        int gid = target.files().idOfItsRoot("gid_map").orElse(its.gid());
        return rights(uid, gid, "", 0);
    }

    private static List<String> rights(int uid, int gid, String groups, long capabilities) {
        return List.of(
                Integer.toUnsignedString(uid), Integer.toUnsignedString(gid), groups, Long.toHexString(capabilities));
    }

    private static SocketChannel accepted(ServerSocketChannel server, Process process, long endNs) throws IOException {
        while (true) {
            boolean isAlive = process.isAlive(); // before looking for what it has done
            SocketChannel channel = server.accept();
            if (channel != null) {
                return channel;
            }
            if (!isAlive
                    || System.nanoTime() - endNs > 0
                    || Thread.currentThread().isInterrupted()) {
                throw new IOException(NAME + (isAlive ? " has not answered" : " has ended at once"));
            }
            pause();
        }
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1) / 4);
    }

    /** Takes its next line. */
    private void next(long endNs) throws IOException {
        ByteBuffer line = ByteBuffer.allocate(Bounds.HELPER_LINE_BYTES);
        ByteBuffer one = ByteBuffer.allocate(1);
        while (true) {
            int bytes = receive(one.clear(), endNs);
            if (bytes < 0 || !line.hasRemaining()) {
                throw new IOException(NAME + " has been stopped");
            }
            if (one.get(0) == '\n') {
                break;
            }
            line.put(one.get(0));
        }
        Matcher words = LINE.matcher(new String(line.array(), 0, line.position(), StandardCharsets.US_ASCII));
        if (!words.matches()) {
            throw new IOException("what answers is no " + NAME + " of this version");
        }
        step = words.group(1);
        about = Long.parseLong(words.group(2));
    }

    /** Reads at least one byte; −1 at the end. */
    private int receive(ByteBuffer into, long endNs) throws IOException {
        int bytes = channel.read(into);
        while (bytes == 0) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
            if (leftMs <= 0 || Thread.currentThread().isInterrupted()) {
                throw new Late();
            }
            selector.select(leftMs);
            selector.selectedKeys().clear();
            bytes = channel.read(into);
        }
        return bytes;
    }

    /** An answer has not come in time. */
    public static final class Late extends IOException {
        private static final long serialVersionUID = 1;

        Late() {
            super("no answer in time");
        }
    }

    /** Whether it has done what it was asked for. */
    public boolean isDone() {
        return is("ok");
    }

    /** Whether this is where it has ended: a step of threadclock-native/src/main/c/helper/main.c. */
    public boolean is(String where) {
        return step.equals(where);
    }

    /** @throws IOException with the reason why not, unless it has done what it was asked for */
    public Helper orRefuse() throws IOException {
        if (isDone()) {
            return this;
        }
        IOException reason = new IOException(reason());
        close();
        throw reason;
    }

    private String reason() {
        Path name = file.getFileName();
        String error = ERRORS.getOrDefault(about, "error " + about);
        return switch (step) {
            case "gone" -> "it has ended";
            case "hidden" -> "the kernel does not show its root directory";
            case "rights" ->
                "the rights of its user cannot be taken, " + error
                        + (about == NOT_PERMITTED ? " (CAP_SETUID, CAP_SETGID)" : "")
                        + (about == INVALID ? " (this user namespace does not map it)" : "");
            case "folder" ->
                "its " + file.getParent()
                        + (about == NO_DESCRIPTOR
                                ? " cannot be opened, " + error
                                : " is missing, behind a link, or closed to its user");
            case "open" -> "others may replace files there";
            case "name" -> about == MISSING ? "it has no " + name : file + " in it cannot be opened, " + error;
            case "kind" -> file + " in it is no socket";
            case "user" -> file + " in it is user " + about + "'s";
            case "process" -> file + " in it is another process's, as where two containers share " + file.getParent();
            case "connect" -> file + " in it: " + error;
            case "trigger" -> "no file can be made in its " + file.getParent() + ", " + error;
            case "quit" -> "it cannot be sent SIGQUIT, " + error;
            case "silent" -> "it has not made its socket";
            default -> error;
        };
    }

    /** Sends to the other side. What does not fit into the kernel's buffer waits until it does. */
    public void send(ByteBuffer bytes, Duration timeout) throws IOException {
        long endNs = System.nanoTime() + timeout.toNanos();
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                if (System.nanoTime() - endNs > 0 || Thread.currentThread().isInterrupted()) {
                    throw new Late();
                }
                pause();
            }
        }
    }

    /**
     * All that comes from the other side until that hangs up, or the beginning of it.
     *
     * @param most as many bytes, and less than a chunk more
     */
    public byte[] rest(Duration timeout, int most) throws IOException {
        long endNs = System.nanoTime() + timeout.toNanos();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        int bytes = receive(chunk, endNs);
        while (bytes >= 0 && all.size() < most) {
            all.write(chunk.array(), 0, bytes);
            bytes = receive(chunk.clear(), endNs);
        }
        return all.toByteArray();
    }

    /** Sends a file's content, and sees whether it is written. */
    public void write(byte[] bytes, Duration timeout) throws IOException {
        long endNs = System.nanoTime() + timeout.toNanos();
        try {
            send(ByteBuffer.wrap(bytes), timeout);
        } catch (Late late) {
            throw late;
        } catch (IOException hungUp) {
            next(endNs); // it has said why
            throw new IOException(reason(), hungUp);
        }
        next(endNs);
        if (!is("written")) {
            throw new IOException(reason());
        }
    }

    /** The other side of what it has connected to: not blocking. */
    public SocketChannel channel() {
        return channel;
    }

    /** It ends by itself, and is ended if its user has stopped it. */
    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
            if (!process.waitFor(END_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException closedAlready) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
