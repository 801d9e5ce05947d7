// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

/** Tomcat's Diagnostics: a thread dump with the times of each thread, by its id. */
public final class TomcatProbe {
    private static final String DIAGNOSTICS = "org.apache.tomcat.util.Diagnostics";
    private static final int THREADS = 50;

    private TomcatProbe() {}

    @SuppressWarnings("try") // the threads only have to be there
    public static void main(String[] arguments) throws Exception {
        try (ManyParked threads = new ManyParked(THREADS)) {
            Consumer.printShape((String) Foreign.callStatic(DIAGNOSTICS, "getThreadDump"), "\"(watched|main)\".*");
            Consumer.printCost(() -> Foreign.callStatic(DIAGNOSTICS, "getThreadDump"));
        }
    }
}
