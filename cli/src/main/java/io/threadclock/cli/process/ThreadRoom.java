// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import io.threadclock.ControlGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The room that a process has for more threads, as far as the kernel's limits can be seen from outside. HotSpot 8 to 28
 * ends the JVM if the thread that listens to those who attach cannot be started, or finds no memory.
 */
record ThreadRoom(Target target, KernelFiles machine, KernelFiles files) {
    /**
     * The listener, what the JVM starts by itself meanwhile, and the helper, which is of its user and control group.
     */
    private static final int THREADS = 4;

    /** A stack of 1 MB, unless the JVM was told otherwise, and what the thread allocates. */
    private static final long MEMORY_KIB = THREADS * 4096;

    /** glibc reserves 128 MB for a thread's heap. Without that, each of its small allocations takes a page. */
    private static final long ADDRESSES_KIB = MEMORY_KIB + 128 * 1024;

    /** A stack is one; the guards of libc and HotSpot divide it. */
    private static final long MAPPINGS = THREADS * 4;

    /** Where a container shows its own limit. */
    private static final List<Path> PLACES = List.of(Path.of("/sys/fs/cgroup"), Path.of("/sys/fs/cgroup/pids"));

    private static final String MOST = "pids.max";
    private static final String USED = "pids.current";

    /** What is read in the place of the process. */
    static final List<Path> INSIDE = PLACES.stream()
            .flatMap(place -> Stream.of(place.resolve(MOST), place.resolve(USED)))
            .toList();

    /** vm.overcommit_memory: all memory that is asked for counts. */
    private static final String STRICT = "2";

    /** The first user namespace, in which alone capabilities lift a limit: PROC_USER_INIT_INO, since Linux 3.8. */
    private static final String FIRST_NAMESPACE = "user:[4026531837]";

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})\\s*");
    private static final Pattern ALL_THREADS = Pattern.compile("/(\\d{1,9}) ");

    /** The first limit that leaves no room for a few more threads, with its figures; empty if none is seen to. */
    static Optional<String> shortage(Target target) {
        ThreadRoom room =
                new ThreadRoom(target, target.proc().machine(), target.files().files());
        return Stream.<Supplier<Stream<Optional<String>>>>of(
                        room::ofGroups, room::ofUser, room::ofMemory, room::ofMachine)
                .flatMap(Supplier::get)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Empty if there is room, or a figure is not known: a limit that is none is no number. */
    private static Optional<String> shortage(String limit, Optional<Long> most, Optional<Long> used, long needed) {
        return most.filter(all -> used.isPresent() && all - used.get() < needed)
                .map(all -> limit + " is " + all + ", and " + used.get() + " of it is used");
    }

    private Stream<Optional<String>> ofGroups() {
        List<ControlGroup> groups =
                ControlGroup.of(target.files().text("cgroup").orElse(""), "pids");
        List<String> seen = groups.stream()
                .flatMap(group -> group.directories(machine.root()).stream())
                .toList();
        return seen.isEmpty() && !groups.isEmpty()
                ? PLACES.stream().map(place -> ofGroup(place + " (inside)", name -> target.inside(place.resolve(name))))
                : seen.stream().map(place -> ofGroup(place, name -> machine.text(place.substring(1) + "/" + name)));
    }

    private static Optional<String> ofGroup(String place, Function<String, String> text) {
        return shortage(
                "pids.max of its control group " + place, number(text.apply(MOST)), number(text.apply(USED)), THREADS);
    }

    /**
     * The kernel counts the threads of a user in each user namespace, and limits neither root nor privilege in the
     * first.
     */
    private Stream<Optional<String>> ofUser() {
        Optional<Long> most = number(files, "limits", "Max processes");
        String namespace = target.files().link("ns/user");
        boolean isExempt = namespace.equals(FIRST_NAMESPACE) && target.status().passesProcessLimit();
        return isExempt || most.isEmpty()
                ? Stream.empty()
                : Stream.of(shortage("RLIMIT_NPROC (ulimit -u)", most, Optional.of(threadsOfUser(namespace)), THREADS));
    }

    private long threadsOfUser(String namespace) {
        Optional<Long> user =
                Optional.of(Integer.toUnsignedLong(target.status().uids().get(0)));
        return target.proc().pids().stream()
                .map(target.proc()::anyOf)
                .filter(one -> one.link("ns/user").equals(namespace))
                .map(ProcessFiles::files)
                .filter(status -> number(status, "status", "Uid:").equals(user))
                .mapToLong(status -> number(status, "status", "Threads:").orElse(0L))
                .sum();
    }

    private Stream<Optional<String>> ofMemory() {
        Optional<Long> mapped =
                Optional.of((long) target.files().memoryMap().mappings().size());
        Optional<Long> committable =
                machine.text("proc/sys/vm/overcommit_memory").strip().equals(STRICT)
                        ? number(machine, "proc/meminfo", "CommitLimit:")
                        : Optional.empty();
        return Stream.of(
                shortage(
                        "RLIMIT_AS in KiB (ulimit -v)",
                        number(files, "limits", "Max address space").map(bytes -> bytes / 1024),
                        number(files, "status", "VmSize:"),
                        ADDRESSES_KIB),
                shortage(
                        "RLIMIT_DATA in KiB (ulimit -d)",
                        number(files, "limits", "Max data size").map(bytes -> bytes / 1024),
                        number(files, "status", "VmData:"),
                        MEMORY_KIB),
                shortage("vm.max_map_count", number(machine.text("proc/sys/vm/max_map_count")), mapped, MAPPINGS),
                shortage(
                        "CommitLimit of /proc/meminfo in KiB (vm.overcommit_memory=2)",
                        committable,
                        number(machine, "proc/meminfo", "Committed_AS:"),
                        MEMORY_KIB));
    }

    private Stream<Optional<String>> ofMachine() {
        Optional<Long> threads = machine.find("proc/loadavg", ALL_THREADS).map(Long::valueOf);
        return Stream.of("threads-max", "pid_max")
                .map(name ->
                        shortage("kernel." + name, number(machine.text("proc/sys/kernel/" + name)), threads, THREADS));
    }

    private static Optional<Long> number(String text) {
        Matcher number = NUMBER.matcher(text);
        return number.matches() ? Optional.of(Long.valueOf(number.group(1))) : Optional.empty();
    }

    /** The first number after this name in a table of the kernel's. */
    private static Optional<Long> number(KernelFiles files, String name, String field) {
        Pattern line = Pattern.compile("(?m)^" + Pattern.quote(field) + "\\s+(\\d{1,18})\\b");
        return files.find(name, line).map(Long::valueOf);
    }
}
