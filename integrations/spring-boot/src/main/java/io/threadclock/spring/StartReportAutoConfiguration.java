// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import io.threadclock.micrometer.CpuObservationHandler;
import io.threadclock.micrometer.CpuSpanHandler;
import io.threadclock.micrometer.CpuTimedAspect;
import io.threadclock.micrometer.ThreadClockMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.logging.Logger;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.util.ClassUtils;

/**
 * A line of the program's log, when it has started: what is measured, and what is not, and why.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnProperty(name = "threadclock.enabled", matchIfMissing = true)
public class StartReportAutoConfiguration {
    private static final Logger LOG = Logger.getLogger("io.threadclock");

    private static final int FIRST_JAVA_WITH_VIRTUAL_THREADS = 21;

    /** Spring creates it. */
    public StartReportAutoConfiguration() {}

    @EventListener
    void tell(ApplicationStartedEvent started) {
        ApplicationContext context = started.getApplicationContext();
        boolean isReactive = started.getSpringApplication().getWebApplicationType() == WebApplicationType.REACTIVE;
        boolean hasRequests = !isReactive || hasPropagation(context);
        List<String> missing = missing(context, hasRequests);
        LOG.info("threadclock (source " + ThreadClockEndpoint.source().toLowerCase(Locale.ROOT) + ") measures "
                + inWords(measured(context, hasRequests), "nothing") + "."
                + (missing.isEmpty() ? "" : " Not measured: " + String.join("; ", missing) + "."));
    }

    private static List<String> measured(ApplicationContext context, boolean hasRequests) {
        List<String> measured = new ArrayList<>();
        add(
                measured,
                context,
                CpuObservationHandler.class,
                hasRequests ? "requests and other observations" : "observations");
        add(measured, context, CpuSpanHandler.class, "spans");
        if (context.containsBean("threadClockMeasuredTasks")) {
            measured.add("tasks");
        }
        add(measured, context, CpuTimedAspect.class, "methods with @Timed");
        if (hasVirtualThreads(context) && VirtualThreads.areMeasurable()) {
            measured.add("virtual threads");
        }
        add(measured, context, ThreadClockMetrics.class, "thread pools and the process");
        return measured;
    }

    private static void add(List<String> measured, ApplicationContext context, Class<?> bean, String what) {
        if (context.getBeanNamesForType(bean).length > 0) {
            measured.add(what);
        }
    }

    /** Spring Boot ignores the property on older Java. */
    private static boolean hasVirtualThreads(ApplicationContext context) {
        return context.containsBean("threadClockTasks")
                && Runtime.version().feature() >= FIRST_JAVA_WITH_VIRTUAL_THREADS;
    }

    private static List<String> missing(ApplicationContext context, boolean hasRequests) {
        List<String> missing = new ArrayList<>();
        if (!ThreadClock.isSupported()) {
            missing.add("user and system time as exactly as elsewhere, because the clock is not supported here ("
                    + ThreadClock.explanation().lines().findFirst().orElse("") + ")");
        }
        if (context.getBeanNamesForType(MeterRegistry.class).length == 0) {
            missing.add("all that needs a MeterRegistry, because there is none (add spring-boot-starter-actuator)");
        }
        if (!hasRequests) {
            missing.add(
                    "requests, because their work goes from thread to thread (set spring.reactor.context-propagation=auto and"
                            + " add io.micrometer:context-propagation)");
        }
        if (hasVirtualThreads(context) && !VirtualThreads.areMeasurable()) {
            missing.add("virtual threads: " + VirtualThreads.explanation());
        }
        if (context.getBeanNamesForType(AsyncTaskExecutor.class, true, false).length == 0) {
            missing.add(
                    "what requests hand to Spring's own threads (@Async, Callable), because no executor of Spring's is a bean (set"
                            + " spring.task.execution.mode=force)");
        }
        if (context.getBeanNamesForType(CpuObservationHandler.class).length > 0) {
            missing.add("what requests hand to " + String.join(", ", unfollowed(context)));
        }
        return missing;
    }

    /** A task in the common pool knows nothing of its request, and the JDK calls nobody when one is forked. */
    private static List<String> unfollowed(ApplicationContext context) {
        TasksAutoConfiguration.Measuring tasks =
                context.getBeanProvider(TasksAutoConfiguration.Measuring.class).getIfAvailable();
        List<String> unfollowed = new ArrayList<>(
                context.getBeansOfType(Executor.class, false, false).keySet());
        unfollowed.removeIf(name -> tasks != null && tasks.follows(name));
        unfollowed.add(
                "executors that are no beans, or the common pool, as parallel streams and CompletableFuture without an"
                        + " executor do (wrap tasks by CpuObservationHandler.wrap())");
        return unfollowed;
    }

    private static boolean hasPropagation(ApplicationContext context) {
        return "auto".equalsIgnoreCase(context.getEnvironment().getProperty("spring.reactor.context-propagation"))
                && ClassUtils.isPresent("io.micrometer.context.ContextSnapshot", context.getClassLoader());
    }

    private static String inWords(List<String> all, String none) {
        return all.isEmpty() ? none : String.join(", ", all);
    }
}
