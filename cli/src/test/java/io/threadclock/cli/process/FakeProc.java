// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;

/** A directory that looks like /proc. This program is its process 1, which belongs to root; 77 is a JVM that waits. */
public final class FakeProc {
    static final int PID = 77;
    public static final String LIBJVM =
            "7f00-7f01 r-xp 00000000 fd:00 1234                       /usr/lib/jvm/lib/server/libjvm.so\n";

    /** The user of process 77: the owner of files that are written here, unless that is root. */
    static final int USER = owner();

    private static final String STATUS =
            """
            Name:\tjava
            State:\tS (sleeping)
            Tgid:\t77
            Pid:\t77
            PPid:\t1
            Uid:\tUSER\tUSER\tUSER\tUSER
            Gid:\t54331\t54331\t54331\t54331
            Groups:\t5 6
            NSpid:\t77\t9
            VmSize:\t  123 kB
            SigCgt:\t2000000181005ccf
            CapEff:\t0000000000000000
            """;
    private static final String STAT =
            "77 (java) (x) S 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 20 0 4711 100 200 18446744073709551615\n";

    private final Path mount;

    public FakeProc(Path mount) {
        this.mount = mount;
        write("self/status", STATUS.replace("USER", "0").replace("54331", "0"));
        status(STATUS);
        write("77/stat", STAT);
        write("77/maps", LIBJVM);
        write("77/task/78/comm", "Common-Cleaner\n");
        write("77/cmdline", "java\0-jar\0app.jar\0");
        write("77/root/tmp/empty", "");
        permissions("77/root/tmp", "rwxr-xr-x");
    }

    /** The files of a process in another folder. */
    public static ProcessFiles files(Path folder) {
        return new ProcessFiles(folder);
    }

    Proc proc() {
        return new Proc(mount);
    }

    public Target target() {
        return Target.of(proc(), PID);
    }

    /** Another process, which is like process 77 as it is now. */
    public Target another(int pid) {
        for (String name : List.of("stat", "status", "maps", "cmdline")) {
            write(pid + "/" + name, read("77/" + name).replace("77", Integer.toString(pid)));
        }
        return Target.outside(proc(), pid);
    }

    private String read(String name) {
        try {
            return Files.readString(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Process 77, but to sockets it is this program, as that user. */
    public Target self(int uid) {
        List<Integer> ids = Collections.nCopies(4, uid);
        ProcessStatus its = target().status();
        ProcessStatus status = new ProcessStatus(
                its.state(), PID, its.namespacePid(), ids, ids, List.of(), true, its.caughtSignals(), 0, 0, -1);
        int pid = (int) ProcessHandle.current().pid();
        return new Target(pid, files(file("77")), target().identity(), status, proc().ownStatus(), proc());
    }

    FakeProc status(String text) {
        return write("77/status", text.replace("USER", Integer.toString(USER)));
    }

    /** Replaces one or more pieces of its status. */
    public FakeProc statusWith(String regex, String replacement) {
        return status(STATUS.replaceAll(regex, replacement));
    }

    private static int owner() {
        try {
            int owner = (Integer) Files.getAttribute(Path.of("/proc/self/status"), "unix:uid");
            return owner == 0 ? 54321 : owner;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives it our root. */
    public FakeProc shareRoot() throws IOException {
        Files.move(file("77/root"), file("77/formerRoot"));
        Files.createSymbolicLink(file("77/root"), Path.of("/"));
        return this;
    }

    /** A line of its map, for an executable file. */
    public String code(String path) {
        return LIBJVM.replace("/usr/lib/jvm/lib/server/libjvm.so", path);
    }

    /** Gives it our user. */
    public FakeProc shareUser() throws IOException {
        return write("self/status", Files.readString(file("77/status")));
    }

    /** Puts a process into a user namespace; they share one otherwise. */
    FakeProc userNamespace(String pid, String name) throws IOException {
        Files.createSymbolicLink(Files.createDirectories(file(pid + "/ns")).resolve("user"), Path.of(name));
        return this;
    }

    /** Has it run by a program of this name, as a copy of ours. */
    public FakeProc runBy(String program) throws IOException {
        Files.copy(Path.of("/proc/self/exe"), file(program));
        Files.createSymbolicLink(file("77/exe"), file(program));
        return this;
    }

    public FakeProc write(String name, String text) {
        write(mount.resolve(name), text);
        return this;
    }

    /** Writes a file and the folders above it. */
    public static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeProc rename(String from, String to) {
        try {
            Files.move(mount.resolve(from), mount.resolve(to), StandardCopyOption.REPLACE_EXISTING);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public FakeProc permissions(String name, String permissions) {
        try {
            Files.setPosixFilePermissions(mount.resolve(name), PosixFilePermissions.fromString(permissions));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path file(String name) {
        return mount.resolve(name);
    }
}
