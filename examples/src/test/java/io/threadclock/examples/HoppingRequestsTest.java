// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextRegistry;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.CpuStopwatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.ExecutorsKt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Requests whose steps frameworks move from thread to thread, beside others in the same threads: docs/account.md. */
class HoppingRequestsTest {
    private static final Path SOURCES = Path.of(System.getProperty("threadclock.home", ".."))
            .resolve("examples/src/test/java/io/threadclock/examples");
    private static final Path PAGE =
            Path.of(System.getProperty("threadclock.home", "..")).resolve("docs/account.md");

    private final ExecutorService one = Executors.newSingleThreadExecutor();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final CoroutineDispatcher first = ExecutorsKt.from(one);
    private final CoroutineDispatcher second = ExecutorsKt.from(other);
    private final Scheduler threads = Schedulers.newParallel("steps", 2);

    private final CpuAccount account = new CpuAccount();
    private final LongAdder stepsNs = new LongAdder();

    @AfterEach
    void end() {
        one.shutdown();
        other.shutdown();
        threads.dispose();
        Hooks.disableAutomaticContextPropagation();
        ContextRegistry.getInstance().removeThreadLocalAccessor("cpu-account");
    }

    @Test
    void costTheirStepsInReactor() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new AccountAccessor());
        Hooks.enableAutomaticContextPropagation();
        Mono<Long> measured = reactive(stepsNs).contextWrite(context -> context.put("cpu-account", account));
        Mono.zip(measured, reactive(new LongAdder())).block();
        assertHasSteps();
    }

    private Mono<Long> reactive(LongAdder ns) {
        Mono<Long> step = Mono.fromCallable(() -> step(ns)).subscribeOn(threads);
        return step.delayElement(Duration.ofMillis(1)) // goes on in a thread of Reactor's own
                .flatMapMany(sum -> Flux.range(0, 4).flatMap(i -> step))
                .publishOn(threads)
                .map(sum -> sum + step(ns))
                .reduce(Long::sum);
    }

    @Test
    void costTheirStepsInCoroutines() throws Exception {
        BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, done) -> {
            launch(scope, new AccountElement(account), stepsNs);
            launch(scope, EmptyCoroutineContext.INSTANCE, new LongAdder());
            return Unit.INSTANCE;
        });
        assertHasSteps();
    }

    /**
     * A coroutine that hops to one thread, from there to the other and back, and children that run at the same time.
     */
    private void launch(CoroutineScope scope, CoroutineContext context, LongAdder ns) {
        BuildersKt.launch(scope, context, CoroutineStart.DEFAULT, (request, done) -> {
            for (int i = 0; i < 4; i++) {
                BuildersKt.launch(request, second, CoroutineStart.DEFAULT, (child, childDone) -> unit(step(ns)));
            }
            return BuildersKt.withContext(
                    first,
                    (hop, hopDone) -> {
                        step(ns);
                        return BuildersKt.withContext(second, (last, lastDone) -> unit(step(ns)), hopDone);
                    },
                    done);
        });
    }

    private static Unit unit(long ignored) {
        return Unit.INSTANCE;
    }

    /** Works in whatever thread runs it, and adds what that costs by a stopwatch. */
    private static long step(LongAdder ns) {
        CpuStopwatch watch = new CpuStopwatch();
        watch.start();
        long sum = 0;
        for (int i = 0; i < 1_000_000; i++) {
            sum += (long) i * i % 7;
        }
        watch.stop();
        ns.add(watch.cpuTimeNs());
        return sum;
    }

    private void assertHasSteps() {
        account.close();
        AccountUsage usage = account.read();
        assertThat(usage.cpuTimeNs()).as("CPU time of %s", usage).isGreaterThanOrEqualTo(stepsNs.sum());
        assertThat(usage.threads()).as("threads of %s", usage).isGreaterThanOrEqualTo(2);
        assertThat(usage.unmeasuredParts()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AccountAccessor", "AccountElement"})
    void areMeasuredByTheClassesOfThePage(String name) throws Exception {
        try (Stream<String> lines = Files.lines(SOURCES.resolve(name + ".java"))) {
            String shown =
                    lines.dropWhile(line -> !line.startsWith("final class")).collect(Collectors.joining("\n"));
            assertThat(Files.readString(PAGE)).contains(shown);
        }
    }
}
