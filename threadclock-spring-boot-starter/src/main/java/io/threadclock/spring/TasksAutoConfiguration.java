// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.diagnostics.FailureLog;
import io.threadclock.micrometer.CpuTimedExecutor;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskDecorator;

/**
 * The CPU time of the tasks of {@code applicationTaskExecutor}, and of other executors that the program makes by Spring Boot's
 * builders, as the meters {@code executor.cpu.time} and others. The program's own {@link TaskDecorator} decorates the tasks
 * as before. If there are several, Spring Boot's versions differ in which of them decorate, so tasks are not measured. A
 * decorator that the program gives to a builder or an executor replaces this.
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
    /** Spring creates it. */
    public TasksAutoConfiguration() {}

    @Bean
    static BeanPostProcessor threadClockMeasuredTasks(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<MeterRegistry> registry,
            ObjectProvider<TaskDecorator> decorators) {
        return new Builders(beans, registry, decorators);
    }

    /** Gives Spring Boot's builders a decorator, because a customizer would replace one that the program gives to them later. */
    private static final class Builders implements BeanPostProcessor {
        private static final String EXECUTOR = "applicationTaskExecutor";

        private final ConfigurableListableBeanFactory beans;
        private final ObjectProvider<MeterRegistry> registry;
        private final ObjectProvider<TaskDecorator> decorators;
        private final FailureLog failures = new FailureLog("Tasks run all the same, and are not measured.");
        private volatile @Nullable CpuTimedExecutor measuring;

        Builders(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<MeterRegistry> registry,
                ObjectProvider<TaskDecorator> decorators) {
            this.beans = beans;
            this.registry = registry;
            this.decorators = decorators;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof ThreadPoolTaskExecutorBuilder pooled) {
                return decorated(name, pooled, pooled::taskDecorator);
            }
            if (bean instanceof SimpleAsyncTaskExecutorBuilder simple) {
                return decorated(name, simple, simple::taskDecorator);
            }
            return bean;
        }

        private <B> B decorated(String name, B builder, Function<TaskDecorator, B> decorating) {
            if (!SpringBootBeans.isAutoConfigured(beans, name)) {
                return builder;
            }
            List<TaskDecorator> own = decorators.stream().toList();
            return own.size() > 1
                    ? builder
                    : decorating.apply(task -> {
                        Runnable decorated = own.isEmpty() ? task : own.get(0).decorate(task);
                        return () -> measuring().execute(decorated);
                    });
        }

        /** The registry is asked for with the first task, because it may itself need an executor. */
        private Executor measuring() {
            CpuTimedExecutor known = measuring;
            return known != null ? known : begin();
        }

        /** Spring refuses the registry while the program ends, for example. */
        private synchronized Executor begin() {
            try {
                if (measuring == null) {
                    measuring = new CpuTimedExecutor(registry.getObject(), Runnable::run, EXECUTOR, Tags.empty());
                }
                return measuring;
            } catch (Throwable failed) {
                failures.report("Finding the registry for the meters of " + EXECUTOR, failed);
                return Runnable::run;
            }
        }
    }
}
