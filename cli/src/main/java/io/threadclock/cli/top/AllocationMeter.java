// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what threads have allocated in the lines with which the JVM begins their stacks (not on JDK 8). */
final class AllocationMeter {
    private static final Pattern ALLOCATED = Pattern.compile(" allocated=(\\d{1,9})([BKMG]) ");
    private static final String UNITS = "BKMG";

    private Map<Integer, Told> last = Map.of();

    private record Told(long startNs, long atNs, long bytes) {}

    /** @param stacks of the sample's threads, which were listed after it was taken */
    Map<Integer, Allocation> take(UsageSample sample, Map<Integer, List<String>> stacks) {
        Map<Integer, Told> now = new HashMap<>();
        Map<Integer, Allocation> allocations = new HashMap<>();
        long atNs = System.nanoTime();
        sample.threads().forEach(usage -> {
            List<String> stack = stacks.getOrDefault(usage.thread().tid(), List.of());
            Matcher allocated = ALLOCATED.matcher(stack.isEmpty() ? "" : stack.get(0));
            if (allocated.find()) {
                long bytes = Long.parseLong(allocated.group(1)) << 10 * UNITS.indexOf(allocated.group(2));
                Told told = new Told(usage.thread().startNs(), atNs, bytes);
                now.put(usage.thread().tid(), told);
                allocations.put(
                        usage.thread().tid(),
                        allocation(told, last.get(usage.thread().tid())));
            }
        });
        last = now;
        return allocations;
    }

    private static Allocation allocation(Told now, Told before) {
        boolean isSince = before != null && before.startNs == now.startNs && now.atNs > before.atNs;
        double bytesPerS =
                isSince ? Math.max(0, now.bytes - before.bytes) * 1e9 / (now.atNs - before.atNs) : Double.NaN;
        return new Allocation(now.bytes, bytesPerS);
    }
}
