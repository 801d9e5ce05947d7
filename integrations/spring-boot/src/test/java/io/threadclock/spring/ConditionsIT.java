// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.threadclock.micrometer.CpuObservationHandler;
import io.threadclock.micrometer.CpuSpanHandler;
import io.threadclock.micrometer.CpuTimedAspect;
import io.threadclock.micrometer.ThreadClockMetrics;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests which beans the starter adds to a program, and on which conditions it leaves them out. */
class ConditionsIT {
    private static final String[] EVERYTHING = {
        "management.endpoints.web.exposure.include=threadclock",
        "management.observations.annotations.enabled=true",
        "spring.threads.virtual.enabled=true"
    };
    private static final List<String> METERS = List.of(
            "threadClockMeasuredTasks",
            "threadClockMetrics",
            "threadClockObservationHandler",
            "threadClockTimedAspect");
    private static final List<String> ACTUATOR = List.of("threadClockEndpoint", "threadClockHealthIndicator");
    private static final List<String> REQUESTS = List.of("threadClockRequests", "threadClockJettyRequests");
    private static final List<String> SPANS = List.of("threadClockSpanHandler");
    private static final List<String> TASKS = List.of("threadClockTasks", "threadClockUnfollowedRequests");

    @Test
    void addsEverythingToAProgramThatHasEverything() {
        assertThat(Beans.of(Traced.class)).containsExactlyInAnyOrderElementsOf(allBut());
    }

    @ParameterizedTest
    @Tag("server")
    @CsvSource({
        "management.health.thread-clock.enabled=false, threadClockHealthIndicator",
        "management.endpoints.web.exposure.include=health, threadClockEndpoint",
        "management.endpoint.threadclock.access=NONE, threadClockEndpoint",
        "management.observations.annotations.enabled=false, threadClockTimedAspect",
        "spring.threads.virtual.enabled=false, threadClockRequests threadClockJettyRequests threadClockTasks",
        "threadclock.observations.enabled=false, threadClockObservationHandler",
        "threadclock.pools.enabled=false, threadClockMetrics",
        "threadclock.spans.enabled=false, threadClockSpanHandler",
        "threadclock.tasks.enabled=false, threadClockMeasuredTasks",
        "threadclock.virtual-threads.enabled=false, threadClockRequests threadClockJettyRequests threadClockTasks"
    })
    void leavesOutWhatAPropertySwitchesOffAndNothingElse(String property, String beans) {
        assertThat(Beans.of(Traced.class, property))
                .containsExactlyInAnyOrderElementsOf(allBut(List.of(beans.split(" "))));
    }

    @Test
    void addsNothingIfItIsSwitchedOff() {
        assertThat(Beans.of(Traced.class, "threadclock.enabled=false")).isEmpty();
    }

    /** Spring would refuse a second bean of the name of the health's. */
    @Test
    void leavesOutWhatTheProgramHasItself() {
        assertThat(Beans.of(Own.class))
                .containsExactlyInAnyOrderElementsOf(allBut(
                        SPANS,
                        List.of(
                                "threadClockEndpoint",
                                "threadClockMetrics",
                                "threadClockObservationHandler",
                                "threadClockTimedAspect")));
    }

    @Test
    @Tag("server")
    void addsNoMetersWithoutARegistry() {
        String[] noRegistry = {
            "management.defaults.metrics.export.enabled=false",
            "spring.autoconfigure.exclude="
                    + "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration,"
                    + "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        };
        assertThat(Beans.of(Traced.class, noRegistry)).containsExactlyInAnyOrderElementsOf(allBut(METERS));
    }

    @Test
    @Tag("server")
    void startsWithoutTheJarsOfTracing() throws Exception {
        assertStartsWithout("micrometer-tracing", Program.class, SPANS);
    }

    /** Spring Boot 4 has parts of the actuator in jars of their own. */
    @Tag("long")
    @Test
    void startsWithoutTheJarsOfTheActuator() throws Exception {
        assertStartsWithout("spring-boot-(actuator|health|micrometer)", Traced.class, ACTUATOR, METERS);
    }

    @Test
    @Tag("server")
    void startsWithoutTheJarOfAspectJ() throws Exception {
        assertStartsWithout("aspectjweaver", Traced.class, List.of("threadClockTimedAspect"));
    }

    @Test
    @Tag("server")
    void startsWithoutTheJarsOfServers() throws Exception {
        assertStartsWithout("tomcat-embed|spring-boot-tomcat|jetty|spring-boot-jetty", Traced.class, REQUESTS);
    }

    @SafeVarargs
    private static void assertStartsWithout(String jars, Class<?> program, List<String>... absent) throws Exception {
        assertThat(beansWithout(jars, program)).containsExactlyInAnyOrderElementsOf(allBut(absent));
    }

    @SafeVarargs
    private static List<String> allBut(List<String>... absent) {
        List<String> names = new ArrayList<>();
        Stream.of(METERS, ACTUATOR, REQUESTS, SPANS, TASKS).forEach(names::addAll);
        for (List<String> beans : absent) {
            names.removeAll(beans);
        }
        return names;
    }

    /**
     * In a class loader of its own: Spring looks into classes whose fields and methods name types of the missing jars.
     */
    private static String[] beansWithout(String jars, Class<?> program) throws Exception {
        String[] all = System.getProperty("java.class.path").split(File.pathSeparator);
        List<URL> left = new ArrayList<>();
        for (String one : all) {
            if (!Path.of(one).getFileName().toString().matches("(" + jars + ").*")) {
                left.add(Path.of(one).toUri().toURL());
            }
        }
        assertThat(left).as("class path without %s", jars).hasSizeLessThan(all.length);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(left.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            return (String[]) loader.loadClass(Beans.class.getName())
                    .getMethod("of", Class.class, String[].class)
                    .invoke(null, loader.loadClass(program.getName()), new String[0]);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Public, for the class loaders. */
    public static final class Beans {
        private Beans() {}

        public static String[] of(Class<?> program, String... properties) {
            List<String> names = new ArrayList<>();
            new ApplicationContextRunner()
                    .withUserConfiguration(program)
                    .withPropertyValues(EVERYTHING)
                    .withPropertyValues(properties)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        Stream.of(context.getBeanDefinitionNames())
                                .filter(name -> name.startsWith("threadClock"))
                                .forEach(names::add);
                    });
            return names.toArray(String[]::new);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Program {}

    static class Traced extends Program {
        @Bean
        SimpleTracer tracer() {
            return new SimpleTracer();
        }
    }

    static class Own extends Traced {
        @Bean
        ThreadClockMetrics ownMetrics() {
            return new ThreadClockMetrics();
        }

        @Bean
        CpuObservationHandler ownObservationHandler(MeterRegistry registry) {
            return new CpuObservationHandler(registry);
        }

        @Bean
        CpuTimedAspect ownTimedAspect(MeterRegistry registry) {
            return new CpuTimedAspect(registry);
        }

        @Bean
        CpuSpanHandler ownSpanHandler() {
            return new CpuSpanHandler();
        }

        @Bean
        ThreadClockEndpoint ownEndpoint() {
            return new ThreadClockEndpoint();
        }

        @Bean
        String threadClockHealthIndicator() {
            return "the program's own";
        }
    }
}
