// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.flame;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The stacks of a profile, and the share of reading user time in them. */
final class Stacks {
    /** The call whose cost is of interest; its callees come after it. */
    private static final String USER_TIME = "ThreadImpl.getCurrentThreadUserTime";
    /** How the profiler marks a frame of the kernel. */
    private static final String KERNEL = "_[k]";
    /** A timer's interrupt is in the kernel, too, but is not a system call. */
    private static final Pattern SYSTEM_CALL =
            Pattern.compile("(entry_SYSCALL_64\\w*|do_syscall_64|el0_svc|__(x64|arm64)_sys_\\w+)_\\[k]");
    /** Functions of libc that are little more than a system call, for kernels that hide their frames. */
    private static final Pattern LIBC_CALL =
            Pattern.compile("(.*_)?(open|open64|openat|read|close|close_nocancel|fstat\\w*|getrusage|clock_gettime)");
    /** Opening, reading, closing and parsing /proc/self/task/TID/stat, in libc and in the kernel. */
    private static final Pattern PROC_PATH =
            Pattern.compile(".*(fopen|fclose|fread|sscanf|do_task_stat|seq_read|proc_single_show|proc_pid).*");

    private final List<Stack> stacks;
    private final boolean hasKernelFrames;

    private record Stack(List<String> frames, long samples) {}

    private Stacks(List<Stack> stacks) {
        this.stacks = stacks;
        this.hasKernelFrames =
                stacks.stream().anyMatch(stack -> stack.frames().stream().anyMatch(frame -> frame.endsWith(KERNEL)));
    }

    /**
     * Reads the profiler's collapsed format: frames from the bottom up with semicolons between, a blank, and the number
     * of samples.
     *
     * @throws IllegalArgumentException if a line is anything else
     */
    static Stacks parse(List<String> collapsed) {
        List<Stack> stacks = new ArrayList<>();
        for (String line : collapsed) {
            int blank = line.lastIndexOf(' ');
            if (blank < 0) {
                throw new IllegalArgumentException("no stack: " + line);
            }
            stacks.add(
                    new Stack(List.of(line.substring(0, blank).split(";")), Long.parseLong(line.substring(blank + 1))));
        }
        return new Stacks(stacks);
    }

    boolean hasKernelFrames() {
        return hasKernelFrames;
    }

    long samples() {
        return stacks.stream().mapToLong(Stack::samples).sum();
    }

    /** Share of all samples that are within getCurrentThreadUserTime. */
    double userTimeShare() {
        return share(Pattern.compile(".*"));
    }

    /** Share of all samples that are in a system call that getCurrentThreadUserTime makes. */
    double systemCallShare() {
        return share(hasKernelFrames ? SYSTEM_CALL : LIBC_CALL);
    }

    /** Share of all samples in which getCurrentThreadUserTime reads /proc. */
    double procShare() {
        return share(PROC_PATH);
    }

    private double share(Pattern calledFrame) {
        long there = stacks.stream()
                .filter(stack -> called(stack.frames()).stream()
                        .anyMatch(frame -> calledFrame.matcher(frame).matches()))
                .mapToLong(Stack::samples)
                .sum();
        return samples() == 0 ? 0 : (double) there / samples();
    }

    /** The call and the frames above it; empty if the stack does not contain it. */
    private static List<String> called(List<String> frames) {
        for (int i = 0; i < frames.size(); i++) {
            if (frames.get(i).contains(USER_TIME)) {
                return frames.subList(i, frames.size());
            }
        }
        return List.of();
    }
}
