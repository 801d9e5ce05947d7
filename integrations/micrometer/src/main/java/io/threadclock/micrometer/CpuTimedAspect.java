// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.diagnostics.FailureLog;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;

/**
 * Measures the CPU time of methods with Micrometer's {@link Timed}, by AspectJ or Spring. Beside the wall-time timer
 * {@code NAME} of Micrometer's own {@code TimedAspect}, it has a timer {@code NAME-cpu}, the counters
 * {@code NAME.cpu.time} in seconds, by {@code mode} ({@code user}, {@code system}), and a counter
 * {@code NAME.cpu.unmeasured}, with the tags {@code class} and {@code method} and the annotation's own. {@code NAME} is
 * the annotation's value, or {@code method.timed}. All methods of a class with the annotation are measured.
 *
 * <p>The annotation's histogram and percentiles are those of the wall time. The timer of CPU time has those that are
 * configured under its own name, as in {@link CpuObservationHandler}.
 *
 * <p>A call is as expensive as a task in {@link CpuTimedExecutor}. It counts what the thread does until the method
 * returns; if the method returns a future, that is not all of its work. Calls run unmeasured in virtual threads that
 * are not measured, and where their meters cannot be registered; the first such failure is logged. Needs
 * {@code org.aspectj:aspectjrt}. Thread-safe.
 *
 * @since 0.1
 */
@Aspect
public class CpuTimedAspect {
    private static final String DEFAULT_NAME = "method.timed";

    private final MeterRegistry registry;
    private final FailureLog failures =
            new FailureLog("Calls run all the same, and are missing in the meters of CPU time.");

    /**
     * The meters by id. A method that is woven in twice, as by two class loaders, or inherited by two classes, has one
     * entry.
     */
    private final Map<Id, TaskTimes> byId = new ConcurrentHashMap<>();

    /**
     * Keyed by the called class and the method, and not by the join point's static part, because Spring makes a new one
     * for each call, which holds the call's arguments. The entries of a class are collected with it.
     */
    private final ClassValue<Map<Method, TaskTimes>> byMethod = new TimesOfMethods();

    /** Measures into Micrometer's global registry. AspectJ calls this constructor by itself. */
    public CpuTimedAspect() {
        this(Metrics.globalRegistry);
    }

    /**
     * Measures into a registry.
     *
     * @param registry gets the meters of each method at its first call
     */
    public CpuTimedAspect(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Called in place of a method with the annotation.
     *
     * @param call of the method
     * @return what it returns
     * @throws Throwable what it throws
     */
    @Around("execution(@io.micrometer.core.annotation.Timed * *.*(..))")
    public Object timedMethod(ProceedingJoinPoint call) throws Throwable {
        return measured(call);
    }

    /**
     * Called in place of a method whose class has the annotation.
     *
     * @param call of the method
     * @return what it returns
     * @throws Throwable what it throws
     */
    @Around("@within(io.micrometer.core.annotation.Timed) && !@annotation(io.micrometer.core.annotation.Timed)"
            + " && execution(* *(..))")
    public Object methodOfTimedClass(ProceedingJoinPoint call) throws Throwable {
        return measured(call);
    }

    private Object measured(ProceedingJoinPoint call) throws Throwable {
        TaskTimes times = timesOf(call);
        return times == null ? call.proceed() : times.call(call::proceed);
    }

    /** Null if there are none, because not even their counter of unmeasured calls can be registered. */
    private TaskTimes timesOf(ProceedingJoinPoint call) {
        try {
            MethodSignature signature = (MethodSignature) call.getSignature();
            Method method = signature.getMethod();
            Object target = call.getTarget();
            Class<?> type = target == null ? method.getDeclaringClass() : target.getClass();
            TaskTimes times = byMethod.get(type).get(method);
            return times != null ? times : open(type, method, signature);
        } catch (Throwable failed) { // tags that are no pairs, a listener of the registry's, a name that is taken
            failures.report("Registering the meters of " + call.getSignature(), failed);
            return null;
        }
    }

    private TaskTimes open(Class<?> type, Method method, MethodSignature signature) {
        Timed own = timedOf(method);
        Timed timed = own != null ? own : timedOf(ofClass(type, method));
        TaskTimes times = byId.computeIfAbsent(
                Id.of(signature, timed), id -> new MethodTimes(registry, id.name, id.tags, failures));
        byMethod.get(type).put(method, times);
        return times;
    }

    /** The annotation of the method takes precedence over its class's. */
    private static Timed timedOf(Method method) {
        Timed own = method.getAnnotation(Timed.class);
        return own != null ? own : method.getDeclaringClass().getAnnotation(Timed.class);
    }

    /** Spring may name the method of an interface, while the annotation is on the method of the class. */
    private static Method ofClass(Class<?> type, Method method) {
        try {
            return type.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException notPublic) {
            return method;
        }
    }

    /** Has no reference to the aspect, because the classes would keep it in memory. */
    private static final class TimesOfMethods extends ClassValue<Map<Method, TaskTimes>> {
        @Override
        protected Map<Method, TaskTimes> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    }

    /** Identifies a set of meters. */
    private static final class Id {
        final String name;
        final Tags tags;

        private Id(String name, Tags tags) {
            this.name = name;
            this.tags = tags;
        }

        static Id of(MethodSignature signature, Timed timed) {
            String name = timed == null || timed.value().isEmpty() ? DEFAULT_NAME : timed.value();
            Tags own =
                    Tags.of(Tag.of("class", signature.getDeclaringTypeName()), Tag.of("method", signature.getName()));
            return new Id(name, timed == null ? own : own.and(timed.extraTags()));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Id && ((Id) other).name.equals(name) && ((Id) other).tags.equals(tags);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, tags);
        }
    }
}
