// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The device and inode by which the kernel lists a mapped file. Overlayfs and btrfs list other numbers for a mapping
 * than stat gives for the file. For them the file is mapped, and looked up in the list of this process.
 */
record DeviceAndInode(String device, String inode) {
    /** The numbers of stat(2); empty if there is no such file. */
    static Optional<DeviceAndInode> of(Path file) {
        try {
            Map<String, Object> is = Files.readAttributes(file, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
            long device = (Long) is.get("dev");
            return Optional.of(new DeviceAndInode(
                    String.format("%02x:%02x", major(device), minor(device)),
                    Long.toUnsignedString((Long) is.get("ino"))));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** The numbers that are listed when the file is mapped; empty if it cannot be mapped. */
    static synchronized Optional<DeviceAndInode> whenMapped(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Set<MemoryMap.Mapping> before = new HashSet<>(ownMappings());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
            List<DeviceAndInode> added = ownMappings().stream()
                    .filter(mapping -> !before.contains(mapping))
                    .flatMap(mapping -> mapping.file().stream())
                    .filter(one -> one.name().equals(file.getFileName().toString()))
                    .map(one -> new DeviceAndInode(one.device(), one.inode()))
                    .distinct()
                    .toList();
            Reference.reachabilityFence(mapped);
            return added.size() == 1 ? Optional.of(added.get(0)) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static List<MemoryMap.Mapping> ownMappings() {
        return ProcessFiles.self().memoryMap().mappings();
    }

    /** as makedev(3) puts it together */
    private static long major(long device) {
        return device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
    }

    private static long minor(long device) {
        return device & 0xff | device >>> 12 & ~0xffL;
    }
}
