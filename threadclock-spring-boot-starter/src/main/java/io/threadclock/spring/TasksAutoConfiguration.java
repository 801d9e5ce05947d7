// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.micrometer.CpuTimedExecutor;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;

/**
 * The CPU time of the tasks of {@code applicationTaskExecutor}, and of other executors that the program makes by Spring Boot's
 * builders, as the meters {@code executor.cpu.time} and others. The program's own {@link TaskDecorator} decorates the tasks
 * as before. If there are several, Spring Boot's versions differ in which of them decorate, so tasks are not measured.
 * Customizers of the program's own come later, and may replace this.
 *
 * @since 0.1
 */
@AutoConfiguration(after = ThreadClockAutoConfiguration.class)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnProperty(
        name = {"threadclock.enabled", "threadclock.tasks.enabled"},
        matchIfMissing = true)
public class TasksAutoConfiguration {
    private static final String EXECUTOR = "applicationTaskExecutor";

    private final ObjectProvider<MeterRegistry> registry;
    private final ObjectProvider<TaskDecorator> decorators;
    private volatile CpuTimedExecutor measuring;

    /** Spring creates it. */
    TasksAutoConfiguration(ObjectProvider<MeterRegistry> registry, ObjectProvider<TaskDecorator> decorators) {
        this.registry = registry;
        this.decorators = decorators;
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    ThreadPoolTaskExecutorCustomizer threadClockPooledTasks() {
        return executor -> decorate(executor::setTaskDecorator);
    }

    /** These executors have a virtual thread for each task. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    SimpleAsyncTaskExecutorCustomizer threadClockSingleTasks() {
        return executor -> decorate(executor::setTaskDecorator);
    }

    private void decorate(Consumer<TaskDecorator> executor) {
        List<TaskDecorator> own = decorators.stream().toList();
        if (own.size() <= 1) {
            executor.accept(task -> {
                Runnable decorated = own.isEmpty() ? task : own.get(0).decorate(task);
                return () -> measuring().execute(decorated);
            });
        }
    }

    /** The registry is asked for with the first task, because it may itself need an executor. */
    private CpuTimedExecutor measuring() {
        CpuTimedExecutor known = measuring;
        return known != null ? known : begin();
    }

    private synchronized CpuTimedExecutor begin() {
        if (measuring == null) {
            measuring = new CpuTimedExecutor(registry.getObject(), Runnable::run, EXECUTOR, Tags.empty());
        }
        return measuring;
    }
}
