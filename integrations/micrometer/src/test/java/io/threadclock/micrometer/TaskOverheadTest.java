// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.aop.TimedAspect;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.ClockSource;
import io.threadclock.ThreadClock;
import java.util.List;
import java.util.concurrent.Executor;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.runtime.internal.AroundClosure;
import org.aspectj.runtime.reflect.Factory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures what measuring adds to a task, in addition to Micrometer's timer: with an executor that runs at once, and a
 * task that does nothing.
 */
@Tag("timing")
class TaskOverheadTest extends MeteredTest {
    private static final int TASKS = 20_000;
    private static final int ROUNDS = 60;

    /** Tries for this long while the overhead is too large, because on a busy machine the compiler takes its time. */
    private static final long PATIENCE_NS = 120_000_000_000L;

    private long done;

    @BeforeEach
    void assumeTheClockExtrapolates() {
        assumeThat(ThreadClock.source())
                .as("a source that extrapolates")
                .isIn(List.of(ClockSource.RSEQ, ClockSource.PERF, ClockSource.IDS));
    }

    /** The cost of AspectJ's own call of an aspect is not included, because it depends on the compiler's luck. */
    @ParameterizedTest
    @ValueSource(strings = {"task", "method", "observation"})
    void isLessThanMicrometersOwn(String what) {
        double[] bestNs = bestNsATask(contenders(what));
        System.out.printf(
                "%s: %.1f ns, measured %.1f ns more, in Micrometer's timer %.1f ns more; %s by %s, JDK %s%n",
                what,
                bestNs[0],
                bestNs[1] - bestNs[0],
                bestNs[2] - bestNs[0],
                ThreadClock.source(),
                ThreadClock.binding(),
                Runtime.version());
        assertThat(bestNs[1])
                .as("ns of a measured %s, below those of a timed one", what)
                .isLessThan(bestNs[2]);
    }

    /** Without measuring, with threadclock's, and with Micrometer's. */
    private Executor[] contenders(String what) {
        Executor plain = Runnable::run;
        ProceedingJoinPoint call = joinPoint();
        CpuTimedAspect aspect = new CpuTimedAspect(registry);
        TimedAspect wall = new TimedAspect(registry);
        return switch (what) {
            case "task" ->
                new Executor[] {
                    plain,
                    new CpuTimedExecutor(registry, plain, "cpu", Tags.empty()),
                    ExecutorServiceMetrics.monitor(registry, plain, "wall")
                };
            case "method" ->
                new Executor[] {
                    task -> proceed(call::proceed),
                    task -> proceed(() -> aspect.timedMethod(call)),
                    task -> proceed(() -> wall.timedMethod(call))
                };
            default ->
                new Executor[] {
                    observed(new NoHandling()),
                    observed(new CpuObservationHandler(registry)),
                    observed(new DefaultMeterObservationHandler(registry))
                };
        };
    }

    /** Makes join points as woven code does. */
    private ProceedingJoinPoint joinPoint() {
        JoinPoint.StaticPart place = new Factory("TaskOverheadTest.java", Annotated.class)
                .makeMethodSJP(
                        JoinPoint.METHOD_EXECUTION,
                        0,
                        "run",
                        Annotated.class,
                        new Class<?>[0],
                        new String[0],
                        new Class<?>[0],
                        void.class,
                        1);
        ProceedingJoinPoint call = (ProceedingJoinPoint) Factory.makeJP(place, null, new Annotated());
        call.set$AroundClosure(new AroundClosure() {
            @Override
            public Object run(Object[] arguments) {
                return done++;
            }
        });
        return call;
    }

    private static final class Annotated {
        @Timed
        void run() {}
    }

    private static Executor observed(ObservationHandler<Observation.Context> handler) {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(handler);
        return task -> Observation.createNotStarted("observed", observations)
                .lowCardinalityKeyValue("route", "/orders")
                .observe(task);
    }

    /** Has Micrometer's own cost of observing. */
    private static final class NoHandling implements ObservationHandler<Observation.Context> {
        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private static void proceed(TaskTimes.Task<Object, Throwable> call) {
        try {
            call.call();
        } catch (Throwable undeclared) {
            throw new AssertionError(undeclared);
        }
    }

    /** The contenders take turns, so that disturbances of the machine affect all of them. */
    private double[] bestNsATask(Executor... contenders) {
        double[] bestNs = new double[contenders.length];
        long beginNs = System.nanoTime();
        for (int round = 0; round < ROUNDS || mayGoOn(beginNs) && bestNs[1] >= bestNs[2]; round++) {
            for (int i = 0; i < contenders.length; i++) {
                double ns = roundNs(contenders[i]);
                bestNs[i] = round == 0 ? ns : Math.min(bestNs[i], ns);
            }
        }
        return bestNs;
    }

    private static boolean mayGoOn(long beginNs) {
        return System.nanoTime() - beginNs < PATIENCE_NS;
    }

    private double roundNs(Executor executor) {
        Runnable task = () -> done++;
        long beginNs = System.nanoTime();
        for (int i = 0; i < TASKS; i++) {
            executor.execute(task);
        }
        return (double) (System.nanoTime() - beginNs) / TASKS;
    }
}
