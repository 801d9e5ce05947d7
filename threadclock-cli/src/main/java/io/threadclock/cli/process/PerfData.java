// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of the file in which HotSpot tells other processes about itself, {@code hsperfdata_USER/PID}: since JDK
 * 6, in format 2.0, unless {@code -XX:-UsePerfData} is set. An entry has a length, the offset of its name, the length
 * of its vector, a type, three more bytes, and the offset of its content.
 */
record PerfData(Map<String, String> texts, Map<String, Long> numbers) {
    private static final PerfData NONE = new PerfData(Map.of(), Map.of());
    private static final int MAGIC = 0xcafec0c0;
    private static final int BYTE_ORDER = 4;
    private static final int FIRST_ENTRY = 24;
    private static final int ENTRIES = 28;
    private static final int VECTOR_LENGTH = 8;
    private static final int TYPE = 12;
    private static final String END_OF_START = "sun.rt.createVmEndTime";
    private static final String VERSION = "java.property.java.version";
    private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d{1,4}).*");
    private static final String CAPABILITIES = "sun.rt.jvmCapabilities";
    private static final List<String> TEXTS = List.of(CAPABILITIES, VERSION);

    /** Far more than HotSpot writes. Anybody may put a file of any size there. */
    private static final int MOST_BYTES = 1 << 22;
    /** Each user who runs a JVM has a folder; anybody may put more of them there. */
    private static final int MOST_USERS = 10_000;

    private static final String SHARED = "rw-s";

    /** More than the texts that are asked for take. */
    private static final int MOST_TEXT_BYTES = 64;

    /**
     * Reads the file of the process that has this pid in its own root; empty if it has none, or none that can be read. Its
     * user may put a pipe there meanwhile, and root of a container a device, which must not be opened with more rights.
     *
     * @param below the folder of HotSpot's files, as the process sees it
     * @param uid the user of the process, because everybody may write to /tmp
     */
    static PerfData of(Path root, Path below, int namespacePid, int uid) {
        try (OpenFolder tmp = OpenFolder.of(root, below)) {
            for (String user : tmp.names("hsperfdata_*", MOST_USERS)) {
                Optional<byte[]> bytes = bytes(tmp, user, Integer.toString(namespacePid), uid);
                if (bytes.isPresent()) {
                    return parse(bytes.get());
                }
            }
        } catch (IOException | RuntimeException unreadable) {
            return NONE;
        }
        return NONE;
    }

    /**
     * Reads what the process has mapped, which no name leads to; empty if it has mapped none, or we have not the
     * capability (CAP_CHECKPOINT_RESTORE, or CAP_SYS_ADMIN).
     */
    static PerfData mappedBy(ProcessFiles process, int namespacePid) {
        return mapping(process, namespacePid)
                .map(mapping -> mapped(process, mapping))
                .orElse(NONE);
    }

    /** The folder of HotSpot's files, as the process sees it; empty if it has mapped none. */
    static Optional<Path> folder(ProcessFiles process, int namespacePid) {
        return mapping(process, namespacePid)
                .flatMap(MemoryMap.Mapping::file)
                .map(file -> process.pathInside(file.path()))
                .map(path -> Path.of("/", path.substring(0, path.lastIndexOf("/hsperfdata_"))));
    }

    private static Optional<MemoryMap.Mapping> mapping(ProcessFiles process, int namespacePid) {
        return process.memoryMap().mappings().stream()
                .filter(mapping -> mapping.permissions().equals(SHARED) && isNamed(mapping, namespacePid))
                .findFirst();
    }

    private static boolean isNamed(MemoryMap.Mapping mapping, int namespacePid) {
        return mapping.file()
                .filter(file -> file.path().matches(".*/hsperfdata_[^/]*/" + namespacePid))
                .isPresent();
    }

    private static PerfData mapped(ProcessFiles process, MemoryMap.Mapping mapping) {
        String place = Long.toHexString(mapping.start()) + "-" + Long.toHexString(mapping.end());
        try (InputStream content = Files.newInputStream(process.file("map_files/" + place))) {
            return parse(content.readNBytes(MOST_BYTES));
        } catch (IOException | RuntimeException unreadable) {
            return NONE;
        }
    }

    /**
     * Checks the folder as HotSpot itself does: nobody else can put a file into it. The file may grow while it is read.
     */
    private static Optional<byte[]> bytes(OpenFolder tmp, String user, String name, int uid) {
        try (OpenFolder folder = tmp.folder(user)) {
            boolean isTheirs = folder.facts().isOwnersAlone() && isOf(uid, folder.facts());
            if (!isTheirs || !folder.facts(name).isRegular() || !isOf(uid, folder.facts(name))) {
                return Optional.empty();
            }
            try (InputStream content = Files.newInputStream(folder.path(name), LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(content.readNBytes(MOST_BYTES));
            }
        } catch (IOException another) {
            return Optional.empty();
        }
    }

    /** Also accepts root's files, because a JVM may have begun as root. */
    private static boolean isOf(int uid, FileStat file) {
        return file.uid() == uid || file.uid() == 0;
    }

    /** Whether the JVM says that it can be attached to; empty if it does not say. */
    Optional<Boolean> attachable() {
        return Optional.ofNullable(texts.get(CAPABILITIES)).map(flags -> flags.startsWith("1"));
    }

    /** Whether the JVM says that it has started; empty if it does not say. */
    Optional<Boolean> started() {
        return Optional.ofNullable(numbers.get(END_OF_START)).map(time -> time != 0);
    }

    /** The number of the JDK's feature release; empty if the JVM does not say. */
    OptionalInt feature() {
        Matcher version = FEATURE.matcher(texts.getOrDefault(VERSION, ""));
        return version.matches() ? OptionalInt.of(Integer.parseInt(version.group(1))) : OptionalInt.empty();
    }

    static PerfData parse(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes);
        if (file.getInt(0) != MAGIC) {
            return NONE;
        }
        file.order(file.get(BYTE_ORDER) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        Map<String, String> texts = new HashMap<>();
        Map<String, Long> numbers = new HashMap<>();
        int entry = file.getInt(FIRST_ENTRY);
        for (int left = file.getInt(ENTRIES); left > 0 && file.getInt(entry) > 0; left--) {
            String name = text(bytes, entry + file.getInt(entry + 4));
            int content = entry + file.getInt(entry + 16);
            if (TEXTS.contains(name) && file.getInt(entry + VECTOR_LENGTH) > 0 && file.get(entry + TYPE) == 'B') {
                texts.put(name, text(bytes, content));
            } else if (name.equals(END_OF_START)
                    && file.getInt(entry + VECTOR_LENGTH) == 0
                    && file.get(entry + TYPE) == 'J') {
                numbers.put(name, file.getLong(content));
            }
            entry += file.getInt(entry);
        }
        return new PerfData(texts, numbers);
    }

    private static String text(byte[] bytes, int start) {
        int end = start;
        while (bytes[end] != 0 && end - start < MOST_TEXT_BYTES) {
            end++;
        }
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
