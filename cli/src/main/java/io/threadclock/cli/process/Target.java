// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A process to attach to, seen from outside. All access to the kernel's files of another process goes through this
 * class. It stays the same process: its folder in /proc is held, so that another process that gets its pid is not taken
 * for it.
 *
 * <p>It may become another user's meanwhile, by exec or setuid. Therefore its identity is read first, and again by
 * {@link #confirm}, after everything else was read, and right before anything is done to the process or with its
 * rights. Facts that were read between two equal identities may be from a moment at which the process was another
 * user's. But the action has the rights of the confirmed user, and runs nothing that others than that user and root can
 * write. An action by pid, such as a signal, assumes that the pid is not given to another process in the moment after
 * that.
 *
 * @param identity its identity when it was opened
 * @param status its status
 * @param itsHelper shared by all that are {@link #again} the same process
 */
public record Target(
        int pid,
        ProcessFiles files,
        ProcessIdentity identity,
        ProcessStatus status,
        ProcessStatus self,
        Proc proc,
        TargetHelper itsHelper) {
    private static final String DISABLED = "DisableAttachMechanism";
    /** From JDK 9 on, this thread starts after all threads that HotSpot itself starts. */
    private static final String LAST_THREAD = "Common-Cleaner";

    private static final String ALTERNATIVE = "AltTempDir"; // since JDK 28
    private static final Path TMP = Path.of("/tmp");
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final String SHARED = "rw-s";
    /** The most bytes that a socket's path can have: sun_path of unix(7), with a zero at its end. */
    private static final int LONGEST_OF_A_SOCKET = 107;

    private static final String OF_A_PROGRAM = "Give the pid of a running program; jps lists the JVMs.";

    /**
     * The process with this pid.
     *
     * @throws Refusal if there is none, or it cannot be a JVM, or we may not read it
     */
    public static Target of(Proc proc, int pid) {
        return outside(proc, pid).checked(Target::refuseAnotherUsers);
    }

    public Target(
            int pid,
            ProcessFiles files,
            ProcessIdentity identity,
            ProcessStatus status,
            ProcessStatus self,
            Proc proc) {
        this(pid, files, identity, status, self, proc, new TargetHelper());
    }

    private boolean isAnotherUsers() {
        return self.uid() != 0 && self.uid() != status.uid();
    }

    public void refuseAnotherUsers() {
        if (isAnotherUsers()) {
            boolean isInOurContainer = !files.userNamespace().isEmpty() && !sharesUserNamespace();
            throw new Refusal(
                    "looking at process " + pid,
                    "it belongs to user " + status.uid()
                            + (isInOurContainer ? " of another user namespace" : "")
                            + ", and this is user " + self.uid(),
                    (isInOurContainer
                                    ? "Run this under podman unshare, or as root (sudo)"
                                    : "Run this as that user or as root (sudo)")
                            + ", or look from outside: threadclock top --no-attach " + pid + ".");
        }
    }

    /** This process, if the check does not refuse it; otherwise this is closed. */
    public Target checked(Consumer<Target> check) {
        try {
            check.accept(this);
            return this;
        } catch (RuntimeException | Error refused) {
            close();
            throw refused;
        }
    }

    /** Lets go of the process, which has ended for this one from here on. Nothing may be reading it meanwhile. */
    public void close() {
        endHelper();
        files.close();
    }

    /**
     * What does in the process's place what is to be done there, with the rights of the user whose it was when it was
     * opened: started at first need, and the same for all that is asked of it. Call {@link #confirm} before anything is
     * done.
     *
     * @throws IOException if it cannot get there
     */
    public Helper helper() throws IOException {
        return itsHelper.of(this);
    }

    /** Nothing is asked of it for now. */
    public void endHelper() {
        itsHelper.close();
    }

    /** The process with this pid; empty if it has ended. */
    public static Optional<Target> ifAlive(Proc proc, int pid) {
        boolean isAlive =
                proc.anyOf(pid).status().filter(now -> !now.hasEnded()).isPresent();
        return isAlive ? Optional.of(of(proc, pid)) : Optional.empty();
    }

    /**
     * The process with this pid, of any user, to be read and not to be attached to.
     *
     * @throws Refusal if there is none, or it cannot be a JVM
     */
    public static Target outside(Proc proc, int pid) {
        String tried = "looking at process " + pid;
        ProcessFiles files = proc.held(pid).orElseThrow(() -> noProcess(tried));
        try {
            return outside(proc, pid, files);
        } catch (RuntimeException | Error refused) {
            files.close();
            throw refused;
        }
    }

    private static Target outside(Proc proc, int pid, ProcessFiles files) {
        String tried = "looking at process " + pid;
        ProcessStatus status = files.status().orElseThrow(() -> noProcess(tried));
        ProcessIdentity identity = ProcessIdentity.of(files, status).orElseThrow(() -> noProcess(tried));
        if (status.tgid() != pid) {
            throw new Refusal(tried, "it is a thread of process " + status.tgid(), "Give that pid.");
        }
        if (status.hasEnded()) {
            throw new Refusal(tried, "it has ended already, and its parent has not noticed yet", OF_A_PROGRAM);
        }
        if (!status.hasMemory()) {
            throw new Refusal(tried, "it is a thread of the kernel", OF_A_PROGRAM);
        }
        if (ProcessHandle.current().pid() == pid) {
            throw new Refusal(
                    tried, "it is this command itself", "Give the pid of another program; jps lists the JVMs.");
        }
        return new Target(pid, files, identity, status, proc.ownStatus(), proc);
    }

    private static Refusal noProcess(String tried) {
        return new Refusal(tried, "there is no such process", OF_A_PROGRAM);
    }

    private ProcessStatus statusNow() {
        if (hasEnded()) {
            throw ended();
        }
        return files.status().orElseThrow(this::ended);
    }

    /** The same process as it is now. */
    public Target again() {
        ProcessStatus now = statusNow();
        return new Target(
                pid, files, ProcessIdentity.of(files, now).orElseThrow(this::ended), now, self, proc, itsHelper);
    }

    /**
     * Checks that the process is still the one that was opened. Call this right before anything is done.
     *
     * @throws Refusal if it is not, or has the rights of several users
     */
    public void confirm() {
        ProcessStatus now = statusNow();
        if (!ProcessIdentity.of(files, now).equals(Optional.of(identity))) {
            throw new Refusal(
                    "dealing with process " + pid,
                    "it has become another program or another user's while it was looked at",
                    "Look at it again when it has settled.");
        }
        if (!now.isOfOneUser()) {
            throw new Refusal(
                    "dealing with process " + pid,
                    "it has the rights of several users, as a setuid program has",
                    "Give the pid of a JVM that runs as one user.");
        }
    }

    /** Whether its capabilities count here. A process has all of them in a user namespace of its own. */
    boolean sharesUserNamespace() {
        return files.userNamespace().equals(proc.self().userNamespace());
    }

    /** Whether its threads have the same tids here as for itself. In another pid namespace they have others. */
    public boolean sharesTids() {
        return status.namespacePid() == pid;
    }

    /** The start time in clock ticks since boot. */
    public long startTicks() {
        return identity.startTicks();
    }

    public boolean hasEnded() {
        return files.startTicks().filter(ticks -> ticks == startTicks()).isEmpty()
                || files.status().filter(now -> !now.hasEnded()).isEmpty()
                        && files.livingThread().isEmpty();
    }

    public Refusal ended() {
        return new Refusal("attaching to process " + pid, "it ended meanwhile", "There is nothing left to do.");
    }

    public JvmKind kind() {
        return files.kind();
    }

    /** Whether the kernel shows its mappings. It does not show those of another user's process. */
    public boolean showsItsMemory() {
        return !files.memoryMap().mappings().isEmpty();
    }

    /** The feature release of its JDK, as the JVM itself tells other processes: 8, 17, …; empty if it does not tell. */
    public OptionalInt feature() {
        return perfData().feature();
    }

    /** The JVM's version, as the JVM itself tells other processes; empty if it does not tell. */
    public Optional<String> runtimeVersion() {
        return perfData().version();
    }

    /** As {@link #runtimeVersion}, its name. */
    public Optional<String> runtimeName() {
        return perfData().vm();
    }

    /** A JVM that this process has started. */
    public Optional<Integer> childJvm() {
        return proc.pids().stream()
                .filter(other ->
                        proc.anyOf(other).isChildOf(pid) && proc.anyOf(other).isHotSpot())
                .findFirst();
    }

    public Path root() {
        return files.root();
    }

    /** Whether the process can open this very file of ours, at the path that it has here. */
    public boolean reads(Path path) {
        try {
            Map<String, Object> ours = Files.readAttributes(path, "unix:dev,ino");
            return helper().finds(LOOK, path, (Long) ours.get("dev"), (Long) ours.get("ino"));
        } catch (IOException not) {
            return false;
        }
    }

    /** Whether the process sees at this path the very file that we see there. Only looks at them, and opens neither. */
    public boolean sees(Path path) throws IOException {
        return Files.isSameFile(root().resolve(Path.of("/").relativize(path)), path);
    }

    /**
     * The files with such a name whose code it runs, as far as the kernel shows it, each once, by the paths that the
     * process sees. A file that is only mapped as data does not count, whatever its name, unless the program is an
     * emulator: the kernel shows no code of what that runs. The paths are for words: others may have other files there
     * by now.
     */
    public List<MemoryMap.MappedFile> code(Predicate<String> name) {
        return files.code(name).stream()
                .map(file -> file.at(files.pathInside(file.path())))
                .toList();
    }

    /** Refuses a process of which nobody can tell here whether it is a JVM. */
    public void refuseHidden() {
        if (!showsItsMemory()) {
            throw hidden("looking at process " + pid);
        }
    }

    /**
     * The kernel shows its memory and its root to CAP_SYS_PTRACE, and to its own user, unless it has capabilities that
     * this user has not.
     */
    private Refusal hidden(String tried) {
        if (hasEnded()) {
            return ended();
        }
        String hidden = "the kernel does not show what it has loaded, ";
        if (self.uid() == status.uid()
                && !files.text("uid_map").equals(proc.self().text("uid_map"))) {
            return new Refusal(
                    tried,
                    hidden + "because it is in a user namespace that is not below that of this command",
                    "Run this in that one, or on the host.");
        }
        if (self.tracesAll()) {
            return new Refusal(
                    tried,
                    hidden + "though this command has CAP_SYS_PTRACE",
                    "Run this where no security module, nor a user namespace, keeps it from that.");
        }
        return new Refusal(
                tried,
                hidden
                        + (self.uid() == status.uid() && status.exceeds(self)
                                ? "because it has capabilities that this command has not"
                                : "because this command has no CAP_SYS_PTRACE"),
                self.uid() == 0
                        ? "Give that to this container: docker run --cap-add=SYS_PTRACE, kubectl debug --profile=general."
                                + orAsItsUser()
                        : "Run this as root (sudo).");
    }

    private String orAsItsUser() {
        boolean helps = self.uid() != status.uid() && status.permitted() == 0;
        return helps ? " Or run this as user " + Integer.toUnsignedString(status.uid()) + "." : "";
    }

    /** Refuses a process that is not a HotSpot, with a line that says what it is. */
    public void refuseOtherThanHotSpot() {
        refuseHidden();
        String tried = "looking for a JVM in process " + pid;
        switch (kind()) {
            case OPENJ9 ->
                throw new Refusal(
                        tried,
                        "it is OpenJ9, whose ThreadMXBean has other native methods",
                        "Run the program on a JDK with HotSpot.");
            case NATIVE_IMAGE ->
                throw new Refusal(
                        tried,
                        "it is a native image, which loads no agents while it runs",
                        "Run the program on a JDK, or call the C library from it.");
            case NONE ->
                throw new Refusal(
                        tried,
                        "it is no JVM, it has no libjvm.so mapped",
                        childJvm()
                                .map(child -> "It has started one: give its pid, " + child + ".")
                                .orElse("Give the pid of the JVM itself; jps lists them."));
            case HOTSPOT -> {}
        }
    }

    /**
     * Refuses a process that a request to attach would harm. The request is SIGQUIT. It ends a process that does not
     * catch it, and makes a JVM print its threads if attaching is disabled.
     */
    public void refuseHarm() {
        String tried = "attaching to process " + pid;
        if (status.isStopped()) {
            throw new Refusal(
                    tried,
                    "it is stopped, by a signal or a debugger",
                    "Let it go on (kill -CONT " + pid + "), then try again.");
        }
        frozenBy().ifPresent(group -> {
            throw new Refusal(
                    tried,
                    "it is frozen, by its control group " + group,
                    "Let it go on (docker unpause, or what else has paused it), then try again.");
        });
        if (isAttachDisabled()) {
            throw new Refusal(
                    tried,
                    "attaching is disabled in it (-XX:+" + DISABLED + ")",
                    "Start it without that option, or with -agentpath.");
        }
        if (alternative().filter(this::isTooLong).isPresent()) {
            throw new Refusal(
                    tried,
                    "the path of its -XX:" + ALTERNATIVE + " is too long for a socket in it",
                    "Start it with a shorter one, or with -agentpath.");
        }
        boolean isListening = isListening(itsHelper.facts(this));
        if (!isListening && !status.catchesQuit()) {
            throw new Refusal(
                    tried,
                    "it does not catch SIGQUIT, by which a JVM is asked to attach",
                    "Start it without -Xrs, or with -XX:+StartAttachListener or -agentpath.");
        }
        if (!isListening) {
            ofLackOfRoom().ifPresent(refusal -> {
                throw refusal;
            });
        }
    }

    /**
     * Why it may end if it is asked: HotSpot does if it does not listen yet, and cannot start the thread that listens.
     * Empty if nothing is seen that would keep it from that. Call this right before it is asked.
     */
    public Optional<Refusal> endIfAsked() {
        return isListening() ? Optional.empty() : ofLackOfRoom();
    }

    private Optional<Refusal> ofLackOfRoom() {
        return ThreadRoom.shortage(this)
                .map(shortage -> new Refusal(
                        "attaching to process " + pid,
                        "it would end, having no room for the thread that listens: " + shortage,
                        "Raise that limit, or look from outside: threadclock top --no-attach " + pid + "."));
    }

    /**
     * The control group that keeps it frozen, or is about to; empty if none does, as far as that can be seen from here.
     */
    public Optional<String> frozenBy() {
        return files.frozenBy(proc.machine());
    }

    /** Whether {@link #refuseHarm} does not refuse it. */
    public boolean mayBeAsked() {
        try {
            refuseHarm();
            return true;
        } catch (Refusal refusal) {
            return false;
        }
    }

    private boolean isAttachDisabled() {
        return perfData()
                .attachable()
                .map(attachable -> !attachable)
                .or(() -> JvmFlags.of(files).isOn(DISABLED))
                .orElse(false);
    }

    /** The program that it runs, such as {@code orders.jar}: what the JVM itself says, if it does. */
    public String program() {
        List<String> words = files.words("cmdline");
        Optional<String> said = isAnotherUsers() || perfFile().isEmpty()
                ? Optional.empty()
                : perfData().command();
        return said.map(command -> JvmList.programOf(command, words)).orElseGet(() -> JvmList.programOf(words));
    }

    private PerfData perfData() {
        return itsHelper.facts(this).perfData();
    }

    /** A short text of its user's or root's, of those that {@link ThreadRoom} names; empty if it could not be read. */
    String inside(Path path) {
        return itsHelper.facts(this).texts().getOrDefault(path, "");
    }

    /** The file in which HotSpot tells about itself; empty if the kernel shows none that it has mapped. */
    Optional<Path> perfFile() {
        return files.memoryMap().mappings().stream()
                .filter(mapping -> mapping.permissions().equals(SHARED))
                .flatMap(mapping -> mapping.file().stream())
                .map(file -> files.pathInside(file.path()))
                .filter(path -> path.matches("/.*/hsperfdata_[^/]*/" + status.namespacePid()))
                .flatMap(path -> ForeignPath.of(path).stream())
                .findFirst();
    }

    /** The folder of HotSpot's files, as the process sees it: /tmp, or that of -XX:AltTempDir. */
    public Path tmp() {
        return itsHelper.facts(this).tmp();
    }

    Path tmp(Optional<Path> perfFile) {
        return perfFile.map(file -> file.getParent().getParent())
                .or(() -> alternative().flatMap(ForeignPath::of))
                .orElse(TMP);
    }

    /** HotSpot ignores one that is relative. */
    private Optional<String> alternative() {
        return JvmFlags.of(files).value(ALTERNATIVE).filter(path -> path.startsWith("/"));
    }

    private boolean isTooLong(String folder) {
        String path = folder + "/" + socketName() + ".tmp"; // its name at first
        return path.getBytes(StandardCharsets.UTF_8).length > LONGEST_OF_A_SOCKET;
    }

    /**
     * Whether it has its socket already, because somebody has attached to it before, or it was started with the
     * listener.
     *
     * @throws Refusal if its user has no way there
     */
    public boolean isListening() {
        return isListening(itsHelper.look(this));
    }

    private boolean isListening(TargetHelper.Facts facts) {
        String tried = "attaching to process " + pid;
        if (!Files.exists(root())) {
            throw hidden(tried);
        }
        try {
            HelperReply socket = facts.socket().orElseThrow(() -> new IOException(facts.reason()));
            return !socket.is("name") && socket.orRefuse().isDone();
        } catch (IOException refused) {
            throw new Refusal(
                    tried,
                    "the JVM cannot be reached, " + refused.getMessage(),
                    "Have that folder there when it starts, start it with -agentpath, or run this as its user.");
        }
    }

    /** The file by which a JVM is asked to make its socket. */
    public String triggerName() {
        return ".attach_pid" + status.namespacePid();
    }

    public String socketName() {
        return ".java_pid" + status.namespacePid();
    }

    /** Whether it can be asked. A JVM that is starting does not catch SIGQUIT yet. */
    public boolean isAskable() {
        try {
            return status.catchesQuit() || isListening(itsHelper.facts(this));
        } catch (Refusal unreachable) {
            return false;
        }
    }

    /** Whether it has started, so far that it finds the classes of any module. */
    public boolean hasStarted() {
        return itsHelper.look(this).perfData().started().orElseGet(() -> files.threadNames()
                .contains(LAST_THREAD));
    }
}
