// SPDX-License-Identifier: Apache-2.0
import io.threadclock.CpuStopwatch;
import io.threadclock.ThreadClock;

/** Measures itself. */
public final class Eight {
    private Eight() {}

    public static void main(String[] none) {
        CpuStopwatch watch = new CpuStopwatch();
        double sum = 0;
        try (CpuStopwatch running = watch.start()) {
            for (int i = 1; i < 1_000_000; i++) {
                sum += Math.sqrt(i);
            }
        }
        boolean isMeasured = watch.cpuTimeNs() > 0 && sum > 0;
        System.out.println(ThreadClock.isSupported() + " " + isMeasured + " " + ThreadClock.source());
    }
}
