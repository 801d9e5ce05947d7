// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.CpuStopwatch;
import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Prints how the Java library finds its shared object; with an argument, for a second class loader as well. */
public final class LibraryProbe {
    private LibraryProbe() {}

    public static void main(String[] arguments) throws Exception {
        Fact.print("supported", ThreadClock.isSupported());
        Fact.print("cpu", Fact.kind(ThreadClock::cpuTimeNs));
        Fact.print("holder", Fact.kind(LibraryProbe::holderCpuTimeNs));
        CpuStopwatch watch = new CpuStopwatch();
        Fact.print("watch", Fact.kind(() -> watch.start().stop()));
        Fact.print("watch.measured", watch.isMeasured());
        Fact.print("explanation", ThreadClock.explanation().replace('\n', '|'));
        Fact.print("binding", Fact.answer(() -> ThreadClock.binding().name()));
        printRefusal();
        Fact.print("counted", Fact.answer(() -> ThreadClock.stats().resyncs() > 0 ? "resyncs" : "nothing"));
        Fact.print("copies", copies());
        if (arguments.length > 0) {
            printSecondLoader();
            Fact.print("second.copies", copies());
        }
    }

    private static long holderCpuTimeNs() {
        TimesHolder holder = new TimesHolder();
        ThreadClock.read(holder);
        return holder.cpuTimeNs();
    }

    private static void printRefusal() {
        try {
            ThreadClock.source();
        } catch (IllegalStateException refused) {
            Fact.print("refusal", refused.getMessage());
            Fact.print("attempts", refused.getSuppressed().length);
        }
    }

    private static void printSecondLoader() throws Exception {
        URL[] jar = {ThreadClock.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader loader = new URLClassLoader(jar, null)) {
            Class<?> second = Class.forName(ThreadClock.class.getName(), true, loader);
            Fact.print("second.isAnother", second != ThreadClock.class);
            Fact.print("second.cpu", Fact.kind(() ->
                    (Long) second.getMethod("cpuTimeNs").invoke(null)));
            Object explanation = second.getMethod("explanation").invoke(null);
            Fact.print("second.explanation", explanation.toString().replace('\n', '|'));
        }
    }

    /** The number of files of the library's name that this process has mapped as code. */
    private static long copies() throws IOException {
        return Files.readAllLines(Paths.get("/proc/self/maps")).stream()
                .filter(line -> line.contains("/libthreadclock") && line.contains(" r-xp "))
                .count();
    }
}
