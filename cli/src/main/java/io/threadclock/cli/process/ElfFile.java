// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A program or library in the kernel's format. The offsets are those of elf(5).
 *
 * @param bits 32 or 64; 0 if it is not such a file or cannot be read
 * @param machine the number of the instruction set
 * @param sections names, empty where there is no table of them; 64-bit files only
 * @param interpreter the loader that a program asks for; empty if it is static, or no program; 64-bit files only
 * @param isProgram whether it was linked as a program, which shared objects, such as the loader, were not; 64-bit files
 *     only
 */
public record ElfFile(int bits, int machine, Set<String> sections, String interpreter, boolean isProgram) {
    static final ElfFile NONE = new ElfFile(0, 0, Set.of(), "", false);
    /** EM_X86_64 and EM_AARCH64. */
    private static final Map<String, Integer> MACHINES = Map.of("x86_64", 62, "aarch64", 183);

    private static final int PROGRAM_HEADER_BYTES = 56;
    private static final int ET_EXEC = 2;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_INTERP = 3;
    private static final int DYNAMIC_ENTRY_BYTES = 16;
    private static final long DT_FLAGS_1 = 0x6ffffffb;
    /** Set in programs that can be loaded at any address, static ones too. */
    private static final long DF_1_PIE = 0x08000000;

    private static final int MAGIC = 0x7f454c46;
    private static final int HEADER_BYTES = 64;
    private static final int SECTION_HEADER_BYTES = 64;

    public static ElfFile read(Path file) {
        if (!Files.isRegularFile(file)) {
            return NONE; // opening a pipe would wait
        }
        try (FileChannel channel = FileChannel.open(file)) {
            return read(channel);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException unreadable) {
            return NONE;
        }
    }

    /**
     * A program of an architecture, by its usual name; one that this does not know counts as one that cannot be read.
     */
    static ElfFile of(String architecture) {
        return new ElfFile(
                MACHINES.containsKey(architecture) ? 64 : 0,
                MACHINES.getOrDefault(architecture, 0),
                Set.of(),
                "",
                false);
    }

    /** A program that cannot be read counts as one that can load it. */
    public boolean canLoad(ElfFile library) {
        return bits == 0 || (bits == library.bits && machine == library.machine);
    }

    /** Whether it is a program without a loader, which nothing can be preloaded into. */
    public boolean isStatic() {
        return isProgram && interpreter.isEmpty();
    }

    private static ElfFile read(FileChannel channel) throws IOException {
        ByteBuffer header = bytes(channel, 0, HEADER_BYTES);
        if (header.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC) {
            return NONE;
        }
        header.order(ByteOrder.LITTLE_ENDIAN);
        int bits = header.get(4) == 2 ? 64 : 32;
        int machine = header.getShort(18);
        if (bits != 64) {
            return new ElfFile(bits, machine, Set.of(), "", false);
        }
        String interpreter =
                nameAt(segment(channel, header, PT_INTERP, Bounds.ELF_PATH_BYTES), 0, Bounds.ELF_PATH_BYTES);
        return new ElfFile(bits, machine, sectionNames(channel, header), interpreter, isProgram(channel, header));
    }

    private static boolean isProgram(FileChannel channel, ByteBuffer header) throws IOException {
        ByteBuffer entries = segment(channel, header, PT_DYNAMIC, Bounds.ELF_DYNAMIC_BYTES);
        boolean isProgram = header.getShort(16) == ET_EXEC;
        while (entries.remaining() >= DYNAMIC_ENTRY_BYTES) {
            long tag = entries.getLong();
            long flags = entries.getLong();
            isProgram |= tag == DT_FLAGS_1 && (flags & DF_1_PIE) != 0;
        }
        return isProgram;
    }

    /** The beginning of the first segment of this type; empty if there is none. */
    private static ByteBuffer segment(FileChannel channel, ByteBuffer header, int type, int most) throws IOException {
        int count = Short.toUnsignedInt(header.getShort(56));
        ByteBuffer segments = bytes(channel, header.getLong(32), count * PROGRAM_HEADER_BYTES);
        for (int start = 0; start < count * PROGRAM_HEADER_BYTES; start += PROGRAM_HEADER_BYTES) {
            if (segments.getInt(start) == type) {
                int length = (int) Math.min(segments.getLong(start + 32), most);
                return bytes(channel, segments.getLong(start + 8), Math.max(length, 0));
            }
        }
        return ByteBuffer.allocate(0);
    }

    private static Set<String> sectionNames(FileChannel channel, ByteBuffer header) throws IOException {
        long table = header.getLong(40);
        int count = Short.toUnsignedInt(header.getShort(60));
        int indexOfNames = Short.toUnsignedInt(header.getShort(62));
        if (table == 0 || indexOfNames >= count) {
            return Set.of();
        }
        ByteBuffer sections = bytes(channel, table, count * SECTION_HEADER_BYTES);
        int namesHeader = indexOfNames * SECTION_HEADER_BYTES;
        long size = Math.min(sections.getLong(namesHeader + 32), Bounds.ELF_NAMES_BYTES);
        ByteBuffer names = bytes(channel, sections.getLong(namesHeader + 24), (int) size);
        Set<String> found = new HashSet<>();
        for (int section = 0; section < count; section++) {
            found.add(nameAt(names, sections.getInt(section * SECTION_HEADER_BYTES), Bounds.ELF_NAME_BYTES));
        }
        return found;
    }

    private static String nameAt(ByteBuffer names, int start, int mostBytes) {
        if (start < 0 || start >= names.limit()) {
            return "";
        }
        int most = Math.min(names.limit(), start + mostBytes);
        int end = start;
        while (end < most && names.get(end) != 0) {
            end++;
        }
        return new String(names.array(), start, end - start, StandardCharsets.US_ASCII);
    }

    /** Checks that the file is long enough before anything is allocated by its own numbers. */
    private static ByteBuffer bytes(FileChannel channel, long offset, int length) throws IOException {
        if (offset < 0 || offset > channel.size() - length) {
            throw new EOFException("ends within a table");
        }
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) > 0) {
            continue;
        }
        if (buffer.hasRemaining()) {
            throw new EOFException("ends within a table");
        }
        return buffer.flip();
    }
}
