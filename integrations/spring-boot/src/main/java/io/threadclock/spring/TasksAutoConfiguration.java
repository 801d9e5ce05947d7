// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.diagnostics.FailureLog;
import io.threadclock.micrometer.CpuObservationHandler;
import io.threadclock.micrometer.CpuTimedExecutor;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The CPU time of the tasks of each executor that is a bean, as the meters {@code executor.cpu.time} and others. What a
 * request, or another observation, hands to them counts in its figure, too. Executors and schedulers of Spring get a
 * decorator, beside which the program's own {@link TaskDecorator} decorates the tasks as before. A bean that the
 * program declares as an {@link Executor} or {@link ExecutorService} is wrapped if nobody can cast it to its class: a
 * lambda, the JDK's executor of a single thread, or the one that starts a virtual thread for each task. A
 * {@code ThreadPoolExecutor} is not, because the program may cast it.
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
    static Measuring threadClockMeasuredTasks(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<ObservationRegistry> observations) {
        return new Measuring(beans, meters, observations);
    }

    /** Has executors measure their tasks, and knows which do so for requests. */
    static final class Measuring implements BeanPostProcessor {
        private final ConfigurableListableBeanFactory beans;
        private final ObjectProvider<MeterRegistry> meters;
        private final ObjectProvider<ObservationRegistry> observations;
        private final Set<String> followed = ConcurrentHashMap.newKeySet();

        Measuring(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<MeterRegistry> meters,
                ObjectProvider<ObservationRegistry> observations) {
            this.beans = beans;
            this.meters = meters;
            this.observations = observations;
        }

        /** Whether what a request hands to the executor of that name counts in the request's figure. */
        boolean follows(String name) {
            return followed.contains(name);
        }

        /**
         * Before the executor begins to use its decorator. Spring's scheduler of virtual threads uses it in a thread of
         * its own.
         */
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            Consumer<TaskDecorator> setter = decoratorOf(bean);
            if (setter != null && tasks(name).decorate(bean, setter) && !(bean instanceof SimpleAsyncTaskScheduler)) {
                followed.add(name);
            }
            return bean;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (mayBeCast(bean.getClass()) || !beans.containsBeanDefinition(name)) {
                return bean;
            }
            Class<?> declared =
                    beans.getMergedBeanDefinition(name).getResolvableType().resolve();
            if (declared == ExecutorService.class && bean instanceof ExecutorService executor) {
                followed.add(name);
                return new MeasuringExecutorService(executor, tasks(name)::measured);
            }
            if (declared == Executor.class && bean instanceof Executor executor) {
                followed.add(name);
                Tasks tasks = tasks(name);
                return (Executor) task -> executor.execute(tasks.measured(task));
            }
            return bean;
        }

        private Tasks tasks(String name) {
            return new Tasks(name, meters, observations);
        }
    }

    /** Not if it is a lambda, or a class that the JDK keeps for itself. */
    private static boolean mayBeCast(Class<?> type) {
        boolean isJdks = type.getClassLoader() == null;
        return !type.isHidden() && !(isJdks && !Modifier.isPublic(type.getModifiers()));
    }

    private static @Nullable Consumer<TaskDecorator> decoratorOf(Object bean) {
        return bean instanceof ThreadPoolTaskExecutor pooled
                ? pooled::setTaskDecorator
                : bean instanceof SimpleAsyncTaskExecutor simple // and scheduler
                        ? simple::setTaskDecorator
                        : bean instanceof ThreadPoolTaskScheduler scheduler ? scheduler::setTaskDecorator : null;
    }

    /** Those of one executor. Whatever fails here, they run. */
    private static final class Tasks {
        private final String executor;
        private final ObjectProvider<MeterRegistry> meters;
        private final ObjectProvider<ObservationRegistry> observations;
        private final FailureLog failures = new FailureLog("Tasks run all the same, and are not measured.");
        private volatile @Nullable CpuTimedExecutor measuring;

        Tasks(String executor, ObjectProvider<MeterRegistry> meters, ObjectProvider<ObservationRegistry> observations) {
            this.executor = executor;
            this.meters = meters;
            this.observations = observations;
        }

        /** Spring has no getter for the decorator that the program, or Spring Boot, has set. */
        boolean decorate(Object bean, Consumer<TaskDecorator> setter) {
            try {
                TaskDecorator own = (TaskDecorator) new DirectFieldAccessor(bean).getPropertyValue("taskDecorator");
                setter.accept(task -> measured(own == null ? task : own.decorate(task)));
                return true;
            } catch (RuntimeException another) { // a version of Spring with other fields
                failures.report("Finding the decorator of " + executor, another);
                return false;
            }
        }

        private Runnable measured(Runnable task) {
            try {
                ObservationRegistry registry = observations.getIfAvailable();
                Runnable handedOver = registry == null ? task : CpuObservationHandler.wrap(registry, task);
                CpuTimedExecutor timed = measuring();
                return () -> timed.execute(handedOver);
            } catch (Throwable failed) { // Spring refuses beans while the program ends, for example
                failures.report("Finding the registries for the tasks of " + executor, failed);
                return task;
            }
        }

        /** The registry is asked for with the first task, because it may itself need an executor. */
        private CpuTimedExecutor measuring() {
            CpuTimedExecutor known = measuring;
            return known != null ? known : begin();
        }

        private synchronized CpuTimedExecutor begin() {
            if (measuring == null) {
                measuring = new CpuTimedExecutor(meters.getObject(), Runnable::run, executor, Tags.empty());
            }
            return measuring;
        }
    }
}
