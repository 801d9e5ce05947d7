// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

/**
 * The most that a command takes from a process that it looks at, which may send anything. Each is far more than an
 * honest one sends; what is beyond it is cut, left out, or refused.
 */
public final class Bounds {
    /** A process may have gigabytes of arguments, and the kernel shows all of them; 65,530 mappings take 13 MB. */
    static final int KERNEL_FILE_BYTES = 1 << 26;
    /** The most that execve(2) takes with a stack of 8 MB. A process may show more than it was given. */
    static final int WORDS_BYTES = 1 << 21;
    /** The pairs that the kernel tells programs at their start. */
    static final int VECTOR_BYTES = 4096;

    /** Far more than HotSpot writes. Its user may put a file of any size there. */
    static final int PERF_DATA_BYTES = 1 << 22;
    /** More than the names and texts that are asked for take, but for a command. */
    static final int PERF_DATA_TEXT_BYTES = 64;

    static final int ELF_PATH_BYTES = 4096;
    static final int ELF_DYNAMIC_BYTES = 1 << 16;
    static final int ELF_NAMES_BYTES = 1 << 20;
    /** Far more than a compiler writes. A foreign file may give each of 65,535 sections a name of a megabyte. */
    static final int ELF_NAME_BYTES = 128;

    static final int HELPER_FRAME_BYTES = 1 << 16;
    static final int HELPER_REQUEST_BYTES = 1 << 15;
    /** The stacks of 10,000 threads take some 20 MB. */
    public static final int ANSWER_BYTES = 1 << 25;

    public static final int ANSWER_CHARACTERS = 1000;

    /** More threads than a JVM has. */
    public static final int STACKS = 1 << 17;

    public static final int STACK_LINES = 5000;
    /** A JVM writes shorter lines. */
    public static final int STACK_LINE_CHARACTERS = 4096;

    /** An agent knows no more, see serve/thread_table.h. */
    public static final int VIEW_THREADS = 1 << 16;
    /** An agent has no more, see serve/virtual_pools.h; their numbers are below. */
    public static final int VIEW_POOLS = 256;
    /** The most that an agent sends: the head, and of each thread its times and its name. See serve/protocol.h. */
    public static final int VIEW_REPLY_BYTES = 104 + VIEW_THREADS * (24 + 40) + VIEW_POOLS * 112;
    /** The kernel gives no higher tid on a machine of 64 bits. */
    public static final int HIGHEST_TID = 1 << 22;
    /** A program has few pools of carriers, and mostly one. */
    public static final int CARRIER_POOLS = 100;

    /** A command line is cut there until one is chosen: others may run very many programs with very long ones. */
    public static final int COMMAND_CHARACTERS = 1 << 16;

    static final int WORD_CHARACTERS = 4096;
    /** The JVMs that are listed, or read at a time. */
    public static final int JVMS = 1000;
    /** JVMs of one user other than root and the command's own: others may run very many. */
    static final int JVMS_OF_ANOTHER_USER = 250;

    /** The pools of one JVM that have meters: as many of its threads, and as many of its virtual threads. */
    public static final int METERED_POOLS = 100;

    public static final int JVM_LABEL_CHARACTERS = 100;

    private Bounds() {}
}
