// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import io.threadclock.ControlGroup;
import io.threadclock.CpuQuota;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The files that the kernel shows of one process, {@code /proc/PID}. A process that has ended has no files, or files
 * that cannot be read.
 */
public final class ProcessFiles {
    private static final int STAT_START_TIME = 19; // fields after the name in parentheses, counted from 0
    private static final int STAT_PARENT = 1;
    private static final int NO_ID = -1;
    private static final Pattern SECCOMP = Pattern.compile("(?m)^Seccomp:\\s+(\\d)");
    private static final String FILTER = "2";
    private static final Pattern LIVING = Pattern.compile("(?m)^State:\\s+([^ZX])");
    private static final int MOUNT_POINT = 4; // fields of proc_pid_mountinfo(5), counted from 0
    private static final int MOUNT_OPTIONS = 5;
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");
    private static final String VM_THREAD = "VM Thread";
    private static final long AT_SECURE = 23; // getauxval(3)

    /** QEMU's programs for a user's processes, also those that have another prefix or suffix. */
    private static final Pattern EMULATOR =
            Pattern.compile("(?:.*[/-])?qemu-([a-z0-9_]+)(?:-static)?(?: \\(deleted\\))?");

    private static final Path SELF = Path.of("/proc/self");

    /** A place where nothing is. */
    private static final Path NOWHERE = SELF.resolve("fd/closed");

    private final Closeable held;
    private volatile Path folder;

    /** @param folder may become another process's */
    ProcessFiles(Path folder) {
        this.folder = folder;
        this.held = () -> {};
    }

    ProcessFiles(OpenFolder held) {
        this.folder = held.path();
        this.held = held;
    }

    /** Lets go of the process, which has no files from here on. Nothing may be reading them meanwhile. */
    void close() {
        folder = NOWHERE;
        try {
            held.close();
        } catch (IOException closedAlready) {
            return;
        }
    }

    /** The files of this process. */
    public static ProcessFiles self() {
        return Proc.SYSTEM.self();
    }

    /** The root directory of the process, which may be another one than ours. */
    public Path root() {
        return file("root");
    }

    /** The path by which a program that has our rights, such as a child, reaches them. */
    Path folderForOthers() {
        return folder.startsWith(SELF)
                ? Path.of("/proc", Long.toString(ProcessHandle.current().pid())).resolve(SELF.relativize(folder))
                : folder;
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** The content of a file; empty if it cannot be read. */
    public Optional<String> text(String name) {
        return KernelFiles.read(file(name));
    }

    /** The files, for more than one question. */
    public KernelFiles files() {
        return new KernelFiles(folder);
    }

    /** The names in one of its folders, as many as can be read. */
    public List<String> names(String name) {
        return list(file(name));
    }

    /** The tids of all threads, by age. */
    public List<Integer> tids() {
        return names("task").stream().map(Integer::valueOf).toList();
    }

    public Optional<ProcessStatus> status() {
        return text("status").map(ProcessStatus::parse);
    }

    /**
     * The start time in clock ticks since boot, which distinguishes two processes with one pid; empty if it has ended.
     */
    Optional<Long> startTicks() {
        return stat().map(fields -> Long.valueOf(fields[STAT_START_TIME]));
    }

    /** The target of one of its links; empty if it cannot be read. */
    String link(String name) {
        try {
            return Files.readSymbolicLink(file(name)).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    /** Names its user namespace; empty if the kernel does not show it. */
    String userNamespace() {
        return link("ns/user");
    }

    /**
     * The id here of root of its user namespace; empty if that has no root, or one that has no id here.
     *
     * @param map uid_map or gid_map
     */
    Optional<Integer> idOfItsRoot(String map) {
        return text(map).stream()
                .flatMap(String::lines)
                .map(line -> line.strip().split("\\s+"))
                .filter(range -> range[0].equals("0"))
                .map(range -> Integer.parseUnsignedInt(range[1]))
                .filter(id -> id != NO_ID)
                .findFirst();
    }

    /** The name of its user; the number if there is no name, {@code ?} if it has ended. */
    String userName() {
        try {
            return Files.getOwner(folder).getName();
        } catch (IOException ended) {
            return "?";
        }
    }

    /** The number of its user; the highest if it has ended. Its folder belongs to root if the process hides itself. */
    int uid() {
        return status().map(ProcessStatus::uid).orElse(-1);
    }

    /** Identifies the file that it runs; empty if the kernel does not show it. */
    Optional<Object> programKey() {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file("exe"), BasicFileAttributes.class).fileKey());
        } catch (IOException hidden) {
            return Optional.empty();
        }
    }

    /** The mappings of the process. */
    public MemoryMap memoryMap() {
        return MemoryMap.parse(text("maps").orElse(""));
    }

    /** See {@link Target#code}; by the paths that the kernel lists. */
    List<MemoryMap.MappedFile> code(Predicate<String> name) {
        return code(memoryMap(), name);
    }

    private List<MemoryMap.MappedFile> code(MemoryMap map, Predicate<String> name) {
        return emulated().isPresent() ? map.named(name) : map.executable(name);
    }

    /** The architecture that its program emulates, as the program's name says; empty if it is no emulator. */
    private Optional<String> emulated() {
        return Optional.of(EMULATOR.matcher(link("exe")))
                .filter(Matcher::matches)
                .map(name -> name.group(1));
    }

    /** The CPU quotas of its control groups now. @param machine the files of the machine */
    public CpuQuota quota(KernelFiles machine) {
        return CpuQuota.of(machine.root(), text("cgroup").orElse(""));
    }

    /** The machine that it runs on: that of its program, or the one that its program emulates. */
    public ElfFile machine() {
        return emulated().map(ElfFile::of).orElseGet(this::executable);
    }

    /** For a process in a chroot we see paths from our own root. */
    String pathInside(String path) {
        try {
            String root = Files.readSymbolicLink(root()).toString();
            return !root.equals("/") && path.startsWith(root + "/") ? path.substring(root.length()) : path;
        } catch (IOException unreadable) {
            return path;
        }
    }

    /**
     * Whether no file on the mount that holds this path may be executed, so that no library there can be loaded. A
     * later mount covers an earlier one.
     */
    public boolean forbidsExecution(Path path) {
        return text("mountinfo").stream()
                .flatMap(String::lines)
                .map(line -> line.split(" "))
                .filter(mount -> mount.length > MOUNT_OPTIONS)
                .filter(mount -> ForeignPath.of(unescaped(mount[MOUNT_POINT]))
                        .filter(path::startsWith)
                        .isPresent())
                .reduce((one, later) -> later[MOUNT_POINT].length() < one[MOUNT_POINT].length() ? one : later)
                .filter(mount -> List.of(mount[MOUNT_OPTIONS].split(",")).contains("noexec"))
                .isPresent();
    }

    /** The kernel writes a blank and some other characters as a backslash and three octal digits. */
    private static String unescaped(String text) {
        return OCTAL.matcher(text)
                .replaceAll(octal -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(octal.group(1), 8))));
    }

    /**
     * The control group that keeps it frozen, or is about to: the uppermost one that says so. Empty if none does that
     * can be seen from here.
     */
    Optional<String> frozenBy(KernelFiles machine) {
        return ControlGroup.of(text("cgroup").orElse(""), "freezer").stream()
                .flatMap(group -> group.directories(machine.root()).stream()
                        .filter(directory -> isFrozen(machine, directory.substring(1)))
                        .reduce((lower, upper) -> upper)
                        .stream())
                .findFirst();
    }

    /**
     * In the second version, cgroup.freeze has the order, and cgroup.events the state, which may come from a group
     * above that cannot be seen from here.
     */
    private static boolean isFrozen(KernelFiles machine, String group) {
        String first = machine.text(group + "/freezer.state").strip();
        return machine.number(group + "/cgroup.freeze").orElse(0) == 1
                || machine.text(group + "/cgroup.events").lines().anyMatch("frozen 1"::equals)
                || first.equals("FROZEN")
                || first.equals("FREEZING");
    }

    /** Its arguments, or the settings of its environment; only the first of them if there are very many. */
    public List<String> words(String name) {
        return KernelFiles.read(file(name), Bounds.WORDS_BYTES)
                .map(text -> List.of(text.split("\0")))
                .orElse(List.of());
    }

    public ElfFile executable() {
        return ElfFile.read(file("exe"));
    }

    /**
     * Whether its loader ignores what the environment says, because its program has rights that the caller had not: of
     * another user or group, or capabilities. False if the kernel does not show it. 64-bit programs only.
     */
    public boolean isSecure() {
        LongBuffer vector = KernelFiles.bytes(file("auxv"), Bounds.VECTOR_BYTES)
                .map(bytes ->
                        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer())
                .orElse(LongBuffer.allocate(0));
        return IntStream.range(0, vector.limit() / 2)
                .anyMatch(i -> vector.get(2 * i) == AT_SECURE && vector.get(2 * i + 1) != 0);
    }

    /** Whether a seccomp filter judges its system calls. */
    public boolean isFiltered() {
        return files().find("status", SECCOMP).filter(FILTER::equals).isPresent();
    }

    JvmKind kind() {
        return kind(this::executable);
    }

    /** Decides without reading its program, which anybody may have written. */
    boolean isHotSpot() {
        return kind(() -> ElfFile.NONE) == JvmKind.HOTSPOT;
    }

    private JvmKind kind(Supplier<ElfFile> program) {
        MemoryMap map = memoryMap();
        return JvmKind.of(name -> !code(map, name).isEmpty(), program);
    }

    public List<String> threadNames() {
        return names("task").stream()
                .flatMap(tid -> text("task/" + tid + "/comm").stream())
                .map(String::strip)
                .toList();
    }

    boolean firstHasEnded() {
        return stat().filter(fields -> ProcessStatus.isOver(fields[0].charAt(0)))
                .isPresent();
    }

    /** One that a JVM keeps until its end, if there is such a one; empty if all have ended. */
    Optional<String> livingThread() {
        List<String> living = names("task").stream()
                .filter(tid -> files().find("task/" + tid + "/status", LIVING).isPresent())
                .toList();
        return living.stream()
                .filter(tid -> text("task/" + tid + "/comm").orElse("").strip().equals(VM_THREAD))
                .findFirst()
                .or(() -> living.stream().findFirst());
    }

    boolean isChildOf(int parent) {
        return stat().map(fields -> Integer.parseInt(fields[STAT_PARENT]) == parent)
                .orElse(false);
    }

    /** The fields after the name, which may itself contain spaces and parentheses. */
    private Optional<String[]> stat() {
        return text("stat").filter(line -> !line.isEmpty()).map(line -> line.substring(line.lastIndexOf(')') + 2)
                .split(" "));
    }

    static List<String> list(Path directory) {
        List<String> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entry -> entries.add(entry.getFileName().toString()));
        } catch (NoSuchFileException ended) {
            return List.of();
        } catch (IOException | DirectoryIteratorException endedMeanwhile) {
            return entries;
        }
        return entries;
    }
}
