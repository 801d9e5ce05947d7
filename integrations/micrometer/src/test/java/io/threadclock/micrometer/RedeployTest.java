// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import io.threadclock.jfr.CpuSpan;
import io.threadclock.jfr.ThreadCpuEvents;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The threads of a container outlive the programs that are deployed in it, each of which has the library in a loader of
 * its own.
 */
@SuppressWarnings("try")
class RedeployTest {
    private static final int DEPLOYMENTS = 3;

    /** The last one may be what the threads or the JVM remember of the last use. */
    private static final int MAY_STAY = 1;

    @ParameterizedTest
    @MethodSource("uses")
    @Timeout(120)
    void leavesNoClassLoaderInMemory(String use) throws Exception {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            for (int i = 0; i < DEPLOYMENTS; i++) {
                loaders.add(thread.submit(() -> deploy(use)).get());
            }
            thread.submit(() -> {}).get(); // the executor's thread may still hold the last task
            while (alive(loaders) > MAY_STAY) { // until the timeout, if they stay
                System.gc();
                Thread.sleep(10);
            }
        } finally {
            thread.shutdown();
        }
    }

    private static WeakReference<ClassLoader> deploy(String use) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            loader.loadClass(Uses.class.getName()).getMethod(use).invoke(null);
            return new WeakReference<>(loader);
        }
    }

    private static URL[] classPath() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(path).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    private static long alive(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    static Stream<String> uses() {
        return Stream.of(Uses.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName);
    }

    /** The uses of the library by a program. Public, for the class loaders. */
    public static final class Uses {
        private Uses() {}

        public static void part() {
            new CpuAccount().enter().close();
        }

        public static void partLeftOpen() {
            new CpuAccount().enter();
        }

        public static void timedTask() {
            new CpuTimedExecutor(new SimpleMeterRegistry(), Runnable::run, "name", Tags.empty()).execute(() -> {});
        }

        public static void scope() {
            ScopeTimes times = new ScopeTimes(new Observation.Context());
            times.open();
            times.close();
            times.stop();
        }

        public static void scopeLeftOpen() throws InterruptedException {
            ScopeTimes times = new ScopeTimes(new Observation.Context());
            times.open();
            Thread other = new Thread(times::stop);
            other.start();
            other.join();
        }

        public static void meters() {
            try (ThreadPoolMetrics pools = new ThreadPoolMetrics()) {
                pools.bindTo(new SimpleMeterRegistry());
                new ClockHealthMetrics().bindTo(new SimpleMeterRegistry());
            }
        }

        public static void measuredThread() throws InterruptedException {
            if (VirtualThreads.areMeasurable()) {
                Thread thread = VirtualThreads.factory().newThread(Uses::part);
                thread.start();
                thread.join();
            }
        }

        public static void span() {
            try (Recording recording = new Recording();
                    ThreadCpuEvents events = ThreadCpuEvents.register()) {
                recording.enable("threadclock.ThreadCpu").withPeriod(Duration.ofMillis(10));
                recording.start();
                CpuSpan.begin("span").close();
            }
        }
    }
}
