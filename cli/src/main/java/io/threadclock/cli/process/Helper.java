// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * threadclock-helper, which does in a process's own place, and with the rights of its user, what a command has to do
 * there. The program, its threats and what it does against them are in native/src/main/c/helper/main.c. Here, its user
 * may keep it from answering, and so each wait has an end; one who does not answer for himself is ended. Several
 * threads may use it; each waits until the others have their answers.
 */
public final class Helper implements AutoCloseable {
    /** The variable by which the launcher names the program; without it, the one beside the library is taken. */
    private static final String VARIABLE = "THREADCLOCK_HELPER";

    private static final String LIBRARY = "THREADCLOCK_LIBRARY";
    private static final String NAME = "threadclock-helper";
    /** A socket's path has 107 bytes at most, of which /threadclock-RANDOM/socket takes 40. */
    private static final int LONGEST_FOLDER = 67;

    private static final Duration START = Duration.ofSeconds(15);
    /** Added to what a request itself may take. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    /** Longer than it looks after the socket of a process that was killed. */
    private static final int END_S = 3;

    /** In place of groups that our user namespace has no number for (/proc/sys/kernel/overflowgid). */
    private static final int UNMAPPED = 65534;

    private final ProcessIdentity identity;
    private final Process process;
    private final HelperConnection control;
    private final SocketChannel view;
    private final HelperConnection maker;
    private final ReentrantLock lock = new ReentrantLock();

    /** An answer has not come in time. */
    public static final class Late extends IOException {
        private static final long serialVersionUID = 1;

        Late() {
            super("no answer in time");
        }
    }

    private Helper(ProcessIdentity identity, Process process, List<SocketChannel> channels) throws IOException {
        this.identity = identity;
        this.process = process;
        for (SocketChannel channel : channels) {
            channel.configureBlocking(false);
        }
        control = new HelperConnection(channels.get(0));
        view = channels.get(1);
        maker = new HelperConnection(channels.get(2));
    }

    /**
     * Starts it for a process. It has the rights of the user whose the process was when it was opened, whatever becomes
     * of that.
     *
     * @throws IOException if it could not be started, or has not got there
     */
    static Helper start(Target target) throws IOException {
        long endNs = HelperConnection.end(START);
        Helper helper = connected(target, endNs);
        try {
            helper.control.reply(endNs, Path.of("/"), START, 0).orRefuse();
            return helper;
        } catch (IOException refused) {
            helper.kill();
            helper.close();
            throw refused;
        }
    }

    /** Nobody else may enter the folder of the socket, which is there until the helper has come. */
    private static Helper connected(Target target, long endNs) throws IOException {
        String temporary = System.getProperty("java.io.tmpdir");
        boolean isTooLong = temporary.getBytes(StandardCharsets.UTF_8).length > LONGEST_FOLDER;
        Path place = Files.createTempDirectory(Path.of(isTooLong ? "/tmp" : temporary), "threadclock-");
        Path socket = place.resolve("socket");
        Process process = null;
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket)).configureBlocking(false);
            List<String> command = new ArrayList<>(List.of(program().toString(), socket.toString()));
            command.addAll(List.of(target.files().folderForOthers().toString(), Integer.toString(target.pid())));
            command.addAll(user(target));
            command.addAll(maker(target));
            process = started(command);
            List<SocketChannel> channels = new ArrayList<>();
            while (channels.size() < 3) {
                channels.add(accepted(server, process, endNs));
            }
            return new Helper(target.identity(), process, channels);
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
        long capabilities = target.sharesUserNamespace() ? its.permitted() : 0;
        return List.of(
                Integer.toUnsignedString(its.uid()),
                Integer.toUnsignedString(its.gid()),
                groups,
                Long.toHexString(capabilities));
    }

    /** The ids that make a file for the process where ours cannot, because the file system has no number for them. */
    private static List<String> maker(Target target) {
        if (target.sharesUserNamespace()) {
            return ids(target.self().uid(), target.self().gid());
        }
        ProcessStatus its = target.status();
        return ids(
                target.files().idOfItsRoot("uid_map").orElse(its.uid()),
                target.files().idOfItsRoot("gid_map").orElse(its.gid()));
    }

    private static List<String> ids(int uid, int gid) {
        return List.of(Integer.toUnsignedString(uid), Integer.toUnsignedString(gid));
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
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1) / 4);
        }
    }

    /** Whether it runs, with the rights of this process's user. */
    boolean serves(Target target) {
        return process.isAlive() && view.isOpen() && identity.equals(target.identity());
    }

    private interface Exchange<T> {
        T take(long endNs) throws IOException;
    }

    /** Only one at a time. A helper that is late itself is ended. */
    private <T> T alone(Duration timeout, Exchange<T> exchange) throws IOException {
        long endNs = HelperConnection.end(timeout.plus(MARGIN));
        try {
            if (!lock.tryLock(endNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new Late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Late();
        }
        try {
            return exchange.take(endNs);
        } catch (IOException broken) {
            kill();
            throw broken;
        } finally {
            lock.unlock();
        }
    }

    private HelperReply asked(Duration timeout, ByteBuffer rest, int most, String verb, Path file, String... options)
            throws IOException {
        return alone(timeout, endNs -> {
            control.request(endNs, rest, words(timeout, verb, List.of(file), options));
            return control.reply(endNs, file, timeout, most);
        });
    }

    private HelperReply asked(Duration timeout, String verb, Path file, String... options) throws IOException {
        return asked(timeout, HelperConnection.NOTHING, 0, verb, file, options);
    }

    private static List<String> words(Duration timeout, String verb, List<Path> files, String... options) {
        List<String> words = new ArrayList<>(List.of(verb, Long.toString(Math.max(1, timeout.toSeconds()))));
        for (Path file : files) {
            words.add(file.getParent().toString());
            words.add(file.getFileName().toString());
        }
        words.addAll(List.of(options));
        return words;
    }

    /** Whether there is the first file, and what is in each further one of its user's or root's. */
    List<HelperReply> facts(Duration timeout, List<Path> files) throws IOException {
        return alone(timeout, endNs -> {
            control.request(endNs, HelperConnection.NOTHING, words(timeout, "facts", files));
            List<HelperReply> replies = new ArrayList<>();
            for (Path file : files) {
                replies.add(control.reply(endNs, file, timeout, Bounds.PERF_DATA_BYTES));
            }
            return replies;
        });
    }

    /**
     * Whether its user can read the file, to which no link leads, and it is the very file that has these numbers here.
     */
    boolean finds(Duration timeout, Path file, long device, long inode) throws IOException {
        return asked(timeout, "finds", file, Long.toUnsignedString(device), Long.toUnsignedString(inode))
                .isDone();
    }

    /**
     * Makes the process listen at that socket, unless it does, by a file of such a name in the same folder.
     *
     * @return false if it does not in time
     */
    public boolean listen(Duration timeout, Path socket, String trigger) throws IOException {
        HelperReply reply = asked(timeout, "listen", socket, trigger);
        return !reply.is("silent") && reply.orRefuse().isDone();
    }

    /**
     * Says this to the process by its socket, and returns the answer, or its beginning.
     *
     * @param timeout from there to the end of the answer
     * @throws Late if it does not come to its end
     */
    public byte[] ask(Duration timeout, Path socket, ByteBuffer said, int most) throws IOException {
        return asked(timeout, said, most, "ask", socket).orRefuse().content().orElseThrow(Late::new);
    }

    /**
     * Connects to that socket of the process, which is removed if the process is killed. This is for one time: the
     * helper ends with it.
     *
     * @return the other side: not blocking
     */
    public SocketChannel view(Duration timeout, Path socket) throws IOException {
        asked(timeout, "view", socket).orRefuse();
        return view;
    }

    /** Removes the sockets of the process's user whose paths begin so, and at which nobody listens. */
    public void sweep(Duration timeout, Path beginning) throws IOException {
        asked(timeout, "sweep", beginning).orRefuse();
    }

    /**
     * Makes a file that all may run.
     *
     * @return false if somebody else has one of that name
     */
    public boolean copy(Duration timeout, Path file, byte[] bytes) throws IOException {
        HelperReply reply = alone(timeout, endNs -> {
            String length = Integer.toString(bytes.length);
            maker.request(endNs, HelperConnection.NOTHING, words(timeout, "copy", List.of(file), length));
            HelperReply first = maker.reply(endNs, file, timeout, 0);
            if (!first.isDone()) {
                return first;
            }
            maker.send(endNs, ByteBuffer.wrap(bytes));
            return maker.reply(endNs, file, timeout, 0);
        });
        boolean isThere = reply.is("same") || reply.is("written");
        return isThere || !reply.is("taken") && reply.orRefuse().isDone();
    }

    /** With what makes its copies. */
    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** It ends by itself, and is ended if its user has stopped it. */
    @Override
    public void close() {
        try {
            control.close();
            view.close();
            maker.close();
            if (!process.waitFor(END_S, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (IOException closedAlready) {
            kill();
        } catch (InterruptedException interrupted) {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
