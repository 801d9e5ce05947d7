// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The kernel's file system of processes. A process that has ended has no files, or files that cannot be read. */
public record Proc(Path mount) {
    public static final Proc SYSTEM = new Proc(Path.of("/proc"));

    private static final int STAT_START_TIME = 19; // fields behind the name in parentheses, counted from 0
    private static final int STAT_PARENT = 1;

    public Path file(int pid, String name) {
        return mount.resolve(Integer.toString(pid)).resolve(name);
    }

    /** Its own root directory, which may be another one than ours. */
    Path root(int pid) {
        return file(pid, "root");
    }

    /** As this machine, or this container, calls itself. */
    public String hostName() {
        return KernelFiles.read(mount.resolve("sys/kernel/hostname")).map(String::strip).orElse("?");
    }

    public Optional<ProcessStatus> status(int pid) {
        return text(pid, "status").map(ProcessStatus::parse);
    }

    ProcessStatus ownStatus() {
        return KernelFiles.read(mount.resolve("self/status"))
                .map(ProcessStatus::parse)
                .orElseThrow(() -> new IllegalStateException("no " + mount + "/self/status can be read"));
    }

    /** When it started, in clock ticks since boot: tells two processes of one pid apart; empty: it has ended. */
    Optional<Long> startTicks(int pid) {
        return stat(pid).map(fields -> Long.valueOf(fields[STAT_START_TIME]));
    }

    /** Of its user; the number where there is no name, {@code ?} where it has ended. */
    String userName(int pid) {
        try {
            return Files.getOwner(mount.resolve(Integer.toString(pid))).getName();
        } catch (IOException ended) {
            return "?";
        }
    }

    /** What it has mapped. */
    public MemoryMap memoryMap(int pid) {
        return MemoryMap.parse(text(pid, "maps").orElse(""));
    }

    public MemoryMap ownMemoryMap() {
        return MemoryMap.parse(KernelFiles.read(mount.resolve("self/maps")).orElse(""));
    }

    public MountTable mounts(int pid) {
        return MountTable.parse(text(pid, "mountinfo").orElse(""));
    }

    /** Its arguments, and the settings of its environment. */
    public List<String> words(int pid, String name) {
        return text(pid, name).map(text -> List.of(text.split("\0"))).orElse(List.of());
    }

    public ElfFile executable(int pid) {
        return ElfFile.read(file(pid, "exe"));
    }

    public List<String> threadNames(int pid) {
        List<String> names = new ArrayList<>();
        for (Path thread : list(file(pid, "task"))) {
            KernelFiles.read(thread.resolve("comm")).ifPresent(name -> names.add(name.strip()));
        }
        return names;
    }

    List<Integer> children(int parent) {
        return pids().stream().filter(pid -> isParent(parent, pid)).toList();
    }

    List<Integer> pids() {
        return list(mount).stream()
                .map(entry -> entry.getFileName().toString())
                .filter(name -> name.matches("\\d+"))
                .map(Integer::valueOf)
                .toList();
    }

    private boolean isParent(int parent, int pid) {
        return stat(pid).map(fields -> Integer.parseInt(fields[STAT_PARENT]) == parent).orElse(false);
    }

    /** The fields behind the name, which may itself hold spaces and parentheses. */
    private Optional<String[]> stat(int pid) {
        return text(pid, "stat").map(line -> line.substring(line.lastIndexOf(')') + 2).split(" "));
    }

    private Optional<String> text(int pid, String name) {
        return KernelFiles.read(file(pid, name));
    }

    private static List<Path> list(Path directory) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (NoSuchFileException ended) {
            return List.of();
        } catch (IOException | DirectoryIteratorException endedMeanwhile) {
            return entries;
        }
        return entries;
    }
}
