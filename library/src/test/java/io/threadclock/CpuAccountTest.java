// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.diagnostics.FailureLog;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests accounts on the real clock, on threads of both kinds. */
@Timeout(600) // some tests wait for what happens only if the account is right
@SuppressWarnings("try")
class CpuAccountTest {
    private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final int THREADS = 4;

    private final CpuAccount account = new CpuAccount();
    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

    /** Threads in which parts are measured. */
    enum Kind {
        PLATFORM,
        VIRTUAL;

        ThreadFactory factory() {
            if (this == PLATFORM) {
                return Thread::new;
            }
            assumeThat(VirtualThreads.areMeasurable())
                    .as(VirtualThreads.explanation())
                    .isTrue();
            return VirtualThreads.factory();
        }

        void run(Task task) throws Exception {
            FutureTask<Void> future = new FutureTask<>(() -> {
                task.run();
                return null;
            });
            factory().newThread(future).start();
            future.get();
        }
    }

    interface Task {
        void run() throws Exception;
    }

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    @Test
    void hasUsedNothingBeforeItsFirstPart() {
        AccountUsage usage = account.read();
        assertThat(usage.cpuTimeNs() + usage.userTimeNs() + usage.systemTimeNs() + usage.wallTimeNs())
                .as("ns")
                .isZero();
        assertThat(usage.parts() + usage.unmeasuredParts() + usage.threads())
                .as("parts and threads")
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void hasTheCostOfItsPartsAndNoOther(Kind kind) throws Exception {
        kind.run(() -> {
            long insideNs = 0;
            long aroundNs = 0;
            for (int i = 0; i < 3; i++) {
                work();
                aroundNs -= ThreadClock.cpuTimeNs();
                try (CpuAccount.Part part = account.enter()) {
                    insideNs += work(WORK_NS);
                }
                aroundNs += ThreadClock.cpuTimeNs();
            }
            AccountUsage usage = account.read();
            assertThat(usage.cpuTimeNs()).as("CPU time of the parts").isBetween(insideNs, aroundNs);
            assertThat(usage.parts()).as("parts").isEqualTo(3);
            assertThat(usage.threads()).as("threads").isEqualTo(1);
            assertAddsUp(usage);
        });
    }

    @ParameterizedTest
    @EnumSource
    void isNoMoreThanWhatTheThreadHasUsedAround(Kind kind) throws Exception {
        kind.run(() -> {
            for (int i = 0; i < 200; i++) {
                CpuAccount each = new CpuAccount();
                CpuTimes before = ThreadClock.read();
                try (CpuAccount.Part part = each.enter()) {
                    Thread.yield();
                }
                CpuTimes after = ThreadClock.read();
                AccountUsage usage = each.read();
                assertThat(usage.cpuTimeNs()).as("CPU time").isBetween(0L, after.cpuTimeNs() - before.cpuTimeNs());
                assertThat(usage.userTimeNs()).as("user time").isBetween(0L, after.userTimeNs() - before.userTimeNs());
            }
        });
    }

    @Test
    void countsWhatIsEnteredAgainOnce() {
        long beforeNs = ThreadClock.cpuTimeNs();
        try (CpuAccount.Part outer = account.enter()) {
            try (CpuAccount.Part inner = account.enter();
                    CpuAccount.Part innermost = account.enter()) {
                work();
            }
            work();
            assertThat(account.read().cpuTimeNs())
                    .as("CPU time, while it runs")
                    .isBetween(2 * WORK_NS, ThreadClock.cpuTimeNs() - beforeNs);
        }
        assertThat(account.read().parts()).as("parts").isEqualTo(1);
    }

    @Test
    void goesOnUntilAllThatHaveEnteredAreClosed() {
        CpuAccount.Part first = account.enter();
        CpuAccount.Part second = account.enter();
        first.close();
        work();
        second.close();
        assertThat(account.read().cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void measuresPartsOfDifferentAccountsInsideOfOneAnother() {
        CpuAccount inner = new CpuAccount();
        try (CpuAccount.Part outerPart = account.enter()) {
            work();
            long beforeNs = ThreadClock.cpuTimeNs();
            try (CpuAccount.Part innerPart = inner.enter()) {
                work();
                try (CpuAccount.Part again = account.enter()) {
                    work();
                }
            }
            long aroundNs = ThreadClock.cpuTimeNs() - beforeNs;
            assertThat(inner.read().cpuTimeNs()).as("the inner one").isBetween(2 * WORK_NS, aroundNs);
        }
        assertThat(account.read().cpuTimeNs()).as("the outer one").isGreaterThanOrEqualTo(3 * WORK_NS);
        assertThat(account.read().parts()).as("parts of the outer one").isEqualTo(1);
    }

    @Test
    void measuresPartsThatAreNotClosedInTheirOrder() {
        List<CpuAccount> accounts = List.of(account, new CpuAccount(), new CpuAccount());
        for (int[] order : new int[][] {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}}) {
            List<CpuAccount.Part> parts =
                    accounts.stream().map(CpuAccount::enter).toList();
            for (int closed : order) {
                long beforeNs = accounts.get(closed).read().cpuTimeNs();
                parts.get(closed).close();
                long endedNs = accounts.get(closed).read().cpuTimeNs();
                work();
                assertThat(accounts.get(closed).read().cpuTimeNs())
                        .as("account %d, of which no part runs", closed)
                        .isEqualTo(endedNs)
                        .isGreaterThanOrEqualTo(beforeNs);
            }
        }
        assertThat(accounts).allMatch(each -> each.read().parts() == 4);
    }

    @Test
    void isClosedOnceAtMost() {
        CpuAccount.Part part = account.enter();
        part.close();
        CpuAccount.Part next = account.enter();
        part.close();
        work();
        next.close();
        assertThat(account.read().cpuTimeNs())
                .as("CPU time of the second part, while which the first was closed again")
                .isGreaterThanOrEqualTo(WORK_NS);
        assertThat(account.read().parts()).as("parts").isEqualTo(2);
    }

    @Test
    void runsOnWhenAnotherThreadClosesIt() throws InterruptedException {
        CpuAccount.Part part = account.enter();
        FutureTask<Void> close = new FutureTask<>(part::close, null);
        run(new Thread(close, "stranger"));
        assertThatThrownBy(close::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Closing a part of an account on thread \"stranger\"")
                .hasMessageContaining("\"" + Thread.currentThread().getName() + "\" has entered it");
        work();
        part.close();
        assertThat(account.read().cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(WORK_NS);
    }

    @ParameterizedTest
    @EnumSource
    void addsUpPartsThatRunAtTheSameTime(Kind kind) throws Exception {
        CountDownLatch haveBegun = new CountDownLatch(THREADS);
        AtomicLong insideNs = new AtomicLong();
        AtomicLong aroundNs = new AtomicLong();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(new FutureTask<>(() -> {
                for (int round = 0; round < 100; round++) {
                    long outerNs = ThreadClock.cpuTimeNs();
                    try (CpuAccount.Part part = account.enter()) {
                        long innerNs = ThreadClock.cpuTimeNs();
                        haveBegun.countDown();
                        haveBegun.await();
                        work(WORK_NS / 100);
                        insideNs.addAndGet(ThreadClock.cpuTimeNs() - innerNs);
                    }
                    aroundNs.addAndGet(ThreadClock.cpuTimeNs() - outerNs);
                }
                return null;
            }));
        }
        ThreadFactory factory = kind.factory();
        tasks.forEach(task -> factory.newThread(task).start());
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
        AccountUsage usage = account.read();
        assertThat(usage.cpuTimeNs())
                .as("CPU time, against what the threads read inside of the parts and around them")
                .isBetween(insideNs.get(), aroundNs.get());
        assertThat(usage.parts()).as("parts").isEqualTo(100 * THREADS);
        assertThat(usage.threads()).as("threads").isEqualTo(THREADS);
        assertAddsUp(usage);
    }

    @ParameterizedTest
    @EnumSource
    void isReadWhilePartsRun(Kind kind) throws Exception {
        AtomicBoolean mayEnd = new AtomicBoolean();
        FutureTask<Void> task = new FutureTask<>(
                () -> {
                    try (CpuAccount.Part part = account.enter()) {
                        workUntil(mayEnd);
                    }
                },
                null);
        kind.factory().newThread(task).start();
        AccountUsage usage = account.read();
        while (usage.cpuTimeNs() < WORK_NS) {
            usage = account.read();
        }
        assertThat(usage.parts()).as("parts").isEqualTo(1);
        assertThat(usage.unmeasuredParts()).as("unmeasured ones").isZero();
        mayEnd.set(true);
        task.get();
        assertThat(account.read().cpuTimeNs()).as("at the end").isGreaterThanOrEqualTo(usage.cpuTimeNs());
    }

    @ParameterizedTest
    @EnumSource
    void neverGoesBack(Kind kind) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        ThreadFactory factory = kind.factory();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = factory.newThread(() -> {
                while (!isOver.get()) {
                    try (CpuAccount.Part part = account.enter()) {
                        Thread.yield();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        List<FutureTask<Long>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            readers.add(new FutureTask<>(this::readUntilTheyHaveWorked));
            new Thread(readers.get(i)).start();
        }
        try {
            for (FutureTask<Long> reader : readers) {
                assertThat(reader.get()).as("readings").isPositive();
            }
        } finally {
            isOver.set(true);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private long readUntilTheyHaveWorked() {
        AccountUsage last = account.read();
        long readings = 0;
        while (last.cpuTimeNs() < 30 * WORK_NS) {
            AccountUsage next = account.read();
            assertThat(next.cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(last.cpuTimeNs());
            assertThat(next.userTimeNs()).as("user time").isGreaterThanOrEqualTo(last.userTimeNs());
            assertThat(next.systemTimeNs()).as("system time").isGreaterThanOrEqualTo(last.systemTimeNs());
            assertThat(next.wallTimeNs()).as("wall time").isGreaterThanOrEqualTo(last.wallTimeNs());
            assertThat(next.parts()).as("parts").isGreaterThanOrEqualTo(last.parts());
            assertThat(next.threads()).as("threads").isGreaterThanOrEqualTo(last.threads());
            assertAddsUp(next);
            last = next;
            readings++;
        }
        return readings;
    }

    @Test
    void hasTheWallTimeOfItsParts() throws InterruptedException {
        long beforeNs = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            try (CpuAccount.Part part = account.enter()) {
                TimeUnit.NANOSECONDS.sleep(WORK_NS);
            }
        }
        AccountUsage usage = account.read();
        assertThat(usage.wallTimeNs())
                .as("wall time of two sleeps of %d ns", WORK_NS)
                .isBetween(2 * WORK_NS, System.nanoTime() - beforeNs);
        assertThat(usage.cpuTimeNs()).as("CPU time").isLessThan(usage.wallTimeNs());
    }

    @Test
    void dividesWallTimeAsTheThreadHasSpentIt() throws InterruptedException {
        assumeThat(ThreadClock.waits().runDelayNs())
                .as("run delay: %s", ThreadClock.explanation())
                .isNotNegative();
        long beforeNs = System.nanoTime();
        try (CpuAccount.Part part = account.enter()) {
            TimeUnit.NANOSECONDS.sleep(WORK_NS);
            work();
            AccountUsage own = account.read();
            assertThat(own.cpuTimeNs() + own.runDelayNs() + own.notRunningNs())
                    .as("CPU time + run delay + not running, while it runs")
                    .isEqualTo(own.wallTimeNs());
        }
        AccountUsage usage = account.read();
        assertThat(usage.notRunningNs() + usage.runDelayNs())
                .as("not running and run delay, of which there was a sleep of %d ns", WORK_NS)
                .isBetween(WORK_NS, System.nanoTime() - beforeNs);
        assertThat(usage.voluntarySwitches()).as("voluntary switches").isPositive();
        assertThat(usage.partsOfUnknownWaits()).as("parts of unknown waits").isZero();
        assertThat(usage.cpuTimeNs() + usage.runDelayNs() + usage.notRunningNs())
                .as("CPU time + run delay + not running")
                .isEqualTo(usage.wallTimeNs());
    }

    /** Its carrier's waits are not its own. */
    @Test
    void knowsNoWaitsAndBytesOfVirtualThreads() throws Exception {
        CpuAccount counting = CpuAccount.withAllocatedBytes();
        Kind.VIRTUAL.run(() -> {
            try (CpuAccount.Part part = counting.enter()) {
                Thread.sleep(1);
                work();
            }
        });
        AccountUsage usage = counting.read();
        assertThat(usage.cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(usage.runDelayNs()).as("run delay").isEqualTo(-1);
        assertThat(usage.notRunningNs()).as("not running").isEqualTo(-1);
        assertThat(usage.voluntarySwitches()).as("voluntary switches").isEqualTo(-1);
        assertThat(usage.allocatedBytes()).as("allocated bytes").isEqualTo(-1);
        assertThat(usage.partsOfUnknownWaits()).as("parts of unknown waits").isEqualTo(1);
        assertThat(usage.partsOfUnknownBytes()).as("parts of unknown bytes").isEqualTo(1);
    }

    @Test
    void countsWhatItsPartsAllocateIfItIsToldTo() {
        CpuAccount counting = CpuAccount.withAllocatedBytes();
        int bytes = 1_000_000;
        try (CpuAccount.Part part = account.enter();
                CpuAccount.Part counted = counting.enter()) {
            assertThat(new byte[bytes]).hasSize(bytes);
        }
        assertThat(counting.read().allocatedBytes())
                .as("bytes that were allocated")
                .isBetween((long) bytes, 100L * bytes);
        assertThat(counting.read().partsOfUnknownBytes())
                .as("parts of unknown bytes")
                .isZero();
        assertThat(account.read().allocatedBytes())
                .as("those of an account that does not count them")
                .isEqualTo(-1);
    }

    @Test
    void countsThreadsExactlyUpTo64() throws InterruptedException {
        for (int i = 0; i < PartSlots.OWN_SLOTS; i++) {
            run(new Thread(() -> account.enter().close()));
        }
        assertThat(account.read().threads()).as("threads, which have all ended").isEqualTo(PartSlots.OWN_SLOTS);
        account.enter().close();
        account.enter().close();
        assertThat(account.read().threads())
                .as("with this one, which came twice")
                .isEqualTo(PartSlots.OWN_SLOTS + 1);
    }

    @Test
    void holdsNoMoreSlotsThanPartsHaveRunAtTheSameTime() throws InterruptedException {
        PartSlots slots = new PartSlots(false);
        Set<PartSlot> used = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 10 * PartSlots.OWN_SLOTS; i++) {
            run(new Thread(() -> {
                ThreadParts mine = ThreadParts.ofThisThread();
                PartSlot slot = slots.claim(mine);
                slot.begin(mine);
                slot.end(mine);
                used.add(slot);
            }));
        }
        assertThat(used).as("slots of 640 threads, one after the other").hasSize(PartSlots.OWN_SLOTS);
        for (int i = 0; i < 1_000; i++) {
            used.add(slots.claim(ThreadParts.ofThisThread()));
        }
        assertThat(used).as("slots in use, each claimed once").hasSize(1_000);
    }

    @Test
    void findsAndClosesPartsWithoutAWalkOverAllThatAreOpenInTheThread() {
        ThreadParts mine = ThreadParts.ofThisThread();
        List<PartSlot> open = new ArrayList<>();
        for (int i = 0; i < ThreadParts.MOST_OPEN; i++) {
            open.add(new PartSlots(false).claim(mine));
            mine.add(open.get(i));
        }
        PartSlots strange = new PartSlots(false);
        open.get(ThreadParts.MOST_OPEN / 2).outer = strange.claim(mine); // planted: no walk gets past it
        assertThat(mine.find(strange)).as("a part that has not begun").isNull();
        for (PartSlot outermost : open) {
            assertThat(mine.find(outermost.account)).isSameAs(outermost);
            mine.remove(outermost);
        }
    }

    @Test
    void tellsOnceThatAThreadHasOverAThousandOpenParts() throws Exception {
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger(FailureLog.class.getName());
        logger.setFilter((LogRecord line) -> !lines.add(line.getMessage()));
        try {
            for (int more = 0; more <= 2; more++) {
                List<CpuAccount> kept = Stream.generate(CpuAccount::new)
                        .limit(ThreadParts.MOST_OPEN + more)
                        .toList();
                Kind.PLATFORM.run(() -> kept.forEach(CpuAccount::enter));
                assertThat(kept).allMatch(each -> each.read().parts() == 1);
                assertThat(lines).as("after %d parts", kept.size()).hasSize(Math.min(more, 1));
            }
        } finally {
            logger.setFilter(null);
        }
        assertThat(lines.get(0)).startsWith("Closing parts of accounts on thread \"Thread-");
    }

    @Test
    void hasWhatAThreadWasReadOfThatEndedInAPart() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            account.enter();
            work();
            try {
                mayEnd.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        spinWhile(() -> account.read().cpuTimeNs() < WORK_NS);
        AccountUsage told = account.read();
        mayEnd.countDown();
        thread.join();
        AccountUsage ended = account.read();
        assertThat(ended.cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(told.cpuTimeNs());
        assertThat(ended.unmeasuredParts()).as("unmeasured parts").isEqualTo(1);
        assertThat(told.unmeasuredParts()).as("before").isZero();
    }

    @Test
    void countsPartsThatCannotBeMeasured() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        run(VirtualThreads.unstarted(() -> {
            try (CpuAccount.Part part = account.enter();
                    CpuAccount.Part nested = account.enter()) {
                assertThat(account.read().unmeasuredParts()).as("while it runs").isEqualTo(1);
            }
        }));
        try (CpuAccount.Part part = account.enter()) {
            work();
        }
        AccountUsage usage = account.read();
        assertThat(usage.parts()).as("parts").isEqualTo(2);
        assertThat(usage.unmeasuredParts()).as("unmeasured parts").isEqualTo(1);
        assertThat(usage.cpuTimeNs()).as("CPU time of the other one").isGreaterThanOrEqualTo(WORK_NS);
    }

    /* ---- limits ---- */

    @Test
    void isLookedAtWhenItMayHaveReachedALimit() {
        CpuLimits limits = new CpuLimits(account, new PartSlots(false));
        limits.add(ms(2_000), passed -> {});
        assertThat(limits.delayNs(0, 2)).as("at most").isEqualTo(ms(100));
        assertThat(limits.delayNs(ms(1_900), 2)).as("100 ms left, 2 CPUs").isEqualTo(ms(50));
        assertThat(limits.delayNs(ms(1_999), 2)).as("at least").isEqualTo(ms(10));
        limits.add(ms(1_940), passed -> {});
        assertThat(limits.delayNs(ms(1_900), 2)).as("of the next limit").isEqualTo(ms(20));
    }

    private static long ms(long duration) {
        return TimeUnit.MILLISECONDS.toNanos(duration);
    }

    /** As in a process that has reached its limit of threads. */
    @Test
    void runsPartsAndActionsWhereNoThreadCanWatchTheLimit() {
        ThreadPoolExecutor watcher = CpuLimits.Watcher.EXECUTOR;
        ThreadFactory before = watcher.getThreadFactory();
        watcher.setCorePoolSize(0);
        spinWhile(() -> watcher.getPoolSize() > 0); // another test's
        watcher.setThreadFactory(task -> {
            throw new IllegalStateException("planted: no thread");
        });
        watcher.setCorePoolSize(1);
        AtomicInteger calls = new AtomicInteger();
        try {
            account.limit(WORK_NS, passed -> calls.incrementAndGet());
            account.wrap((Runnable) CpuAccountTest::work).run();
        } finally {
            watcher.setThreadFactory(before);
        }
        assertThat(calls).as("calls of the action").hasValue(1);
        assertThat(watcher.getQueue()).as("looks that nobody takes").isEmpty();
    }

    @Test
    void runsTheActionOfALimitWhenAPartPassesIt() throws Exception {
        CompletableFuture<Thread> by;
        do {
            CpuAccount each = new CpuAccount();
            CompletableFuture<Thread> first = new CompletableFuture<>();
            each.limit(WORK_NS, passed -> first.complete(Thread.currentThread()));
            each.enter().close();
            assertThat(first.isDone()).as("told below the limit").isFalse();
            each.wrap(() -> {
                        work(WORK_NS);
                    })
                    .run();
            by = first;
        } while (by.get() != Thread.currentThread());
    }

    @Test
    void runsTheActionAtOnceIfTheLimitIsPassed() {
        account.wrap((Runnable) CpuAccountTest::work).run();
        AtomicInteger calls = new AtomicInteger();
        account.limit(WORK_NS, passed -> calls.incrementAndGet());
        assertThat(calls).hasValue(1);
        account.wrap((Runnable) CpuAccountTest::work).run();
        account.read();
        assertThat(calls).as("calls, in the end").hasValue(1);
    }

    @Test
    void runsTheActionsOfSeveralLimits() throws Exception {
        CompletableFuture<CpuAccount> warned = new CompletableFuture<>();
        CompletableFuture<CpuAccount> cancelled = new CompletableFuture<>();
        account.limit(1_000_000 * WORK_NS, cancelled::complete);
        account.limit(WORK_NS, warned::complete);
        account.wrap((Runnable) CpuAccountTest::work).run();
        assertThat(warned.get()).as("told").isSameAs(account);
        assertThat(cancelled.isDone()).as("the other action has run").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void findsOutBesideAPartThatRunsOn(Kind kind) throws Exception {
        CountDownLatch isPassed = new CountDownLatch(1);
        AtomicReference<String> by = new AtomicReference<>();
        AtomicBoolean mayEnd = new AtomicBoolean();
        account.limit(WORK_NS, passed -> {
            by.set(Thread.currentThread().getName());
            mayEnd.set(true);
            isPassed.countDown();
        });
        Thread thread = kind.factory().newThread(account.wrap(() -> workUntil(mayEnd)));
        thread.start();
        isPassed.await();
        thread.join();
        assertThat(by.get()).as("the thread that ran the action").isEqualTo("threadclock-limits");
    }

    @Test
    void watchesPartsThatHadBegunBeforeTheLimit() throws Exception {
        CountDownLatch isPassed = new CountDownLatch(1);
        AtomicBoolean mayEnd = new AtomicBoolean();
        Future<?> work = pool.submit(account.wrap(() -> workUntil(mayEnd)));
        spinWhile(() -> account.read().parts() == 0);
        account.limit(account.read().cpuTimeNs() + WORK_NS, passed -> isPassed.countDown());
        isPassed.await();
        mayEnd.set(true);
        work.get();
    }

    @Test
    void runsEachActionOnceHoweverManyFindOutAtOnce() throws Exception {
        for (int round = 0; round < 100; round++) {
            CpuAccount each = new CpuAccount();
            AtomicInteger calls = new AtomicInteger();
            AtomicInteger ready = new AtomicInteger();
            each.limit(1_000, passed -> calls.incrementAndGet());
            List<Callable<Void>> tasks = Collections.nCopies(2, () -> {
                try (CpuAccount.Part part = each.enter()) {
                    work(1_000);
                    ready.incrementAndGet();
                    spinWhile(() -> ready.get() < 2);
                }
                return null;
            });
            for (Future<Void> done : pool.invokeAll(tasks)) {
                done.get();
            }
            spinWhile(() -> calls.get() == 0); // the watcher may be the one that calls it
            assertThat(calls).as("calls of the action").hasValue(1);
        }
    }

    @Test
    void runsAnActionOnceIfOthersReadWhileItRuns() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Void> done = new CompletableFuture<>();
        account.limit(1, passed -> {
            calls.incrementAndGet();
            passed.read();
            CompletableFuture.runAsync(passed::read, pool).join();
            done.complete(null);
        });
        account.wrap((Runnable) CpuAccountTest::work).run();
        done.get();
        assertThat(calls).as("calls of the action").hasValue(1);
    }

    @Test
    void goesOnIfAnActionFails() throws InterruptedException {
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        account.wrap((Runnable) CpuAccountTest::work).run();
        Thread thread = new Thread(() -> {
            account.limit(1, passed -> {
                throw new IllegalStateException("planted");
            });
            events.add("the next statement");
            account.limit(1, passed -> events.add("the next action"));
        });
        thread.setUncaughtExceptionHandler((where, thrown) -> events.add(thrown.getMessage()));
        run(thread);
        assertThat(events).containsExactly("planted", "the next statement", "the next action");
    }

    /* ---- closing ---- */

    @ParameterizedTest
    @EnumSource
    void partsAreLateAfterTheClosing(Kind kind) throws Exception {
        account.limit(1, passed -> {
            throw new AssertionError("a limit of a closed account");
        });
        account.close();
        AccountUsage before = CpuAccount.late();
        kind.run(() -> {
            try (CpuAccount.Part part = account.enter();
                    CpuAccount.Part again = account.enter()) {
                work();
            }
        });
        account.limit(0, passed -> {
            throw new AssertionError("a limit after the closing");
        });
        AccountUsage late = CpuAccount.late();
        assertThat(account.read().parts()).as("parts of the account").isZero();
        assertThat(late.cpuTimeNs() - before.cpuTimeNs()).as("late CPU time").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(late.parts() - before.parts()).as("late parts").isEqualTo(1);
    }

    @Test
    void whatIsDoneForSeveralClosedAccountsIsLateOnce() {
        CpuAccount inner = new CpuAccount();
        long beforeNs = CpuAccount.late().cpuTimeNs();
        long outerNs = ThreadClock.cpuTimeNs();
        try (CpuAccount.Part part = account.enter();
                CpuAccount.Part another = inner.enter()) {
            account.close();
            inner.close();
            inner.wrap((Runnable) CpuAccountTest::work).run();
        }
        new CpuAccount().enter().close();
        assertThat(CpuAccount.late().cpuTimeNs() - beforeNs)
                .as("late CPU time, against what the thread has used")
                .isBetween(WORK_NS, ThreadClock.cpuTimeNs() - outerNs);
    }

    /** Threads come and go while others close, and read. */
    @ParameterizedTest
    @EnumSource
    void isWholeWithWhatIsLateWheneverItIsClosed(Kind kind) throws Exception {
        AccountUsage before = CpuAccount.late();
        AtomicLong insideNs = new AtomicLong();
        AtomicLong aroundNs = new AtomicLong();
        AtomicInteger entered = new AtomicInteger();
        CpuAccount first = new CpuAccount();
        AtomicReference<CpuAccount> present = new AtomicReference<>(first);
        AtomicBoolean isOver = new AtomicBoolean();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(new FutureTask<>(() -> {
                CpuAccount last = null;
                while (!isOver.get()) {
                    CpuAccount next = present.get();
                    if (next == last) {
                        Thread.yield();
                        continue;
                    }
                    last = next;
                    long outerNs = ThreadClock.cpuTimeNs();
                    try (CpuAccount.Part part = next.enter()) {
                        insideNs.addAndGet(work(10_000));
                        entered.incrementAndGet();
                        insideNs.addAndGet(work(50_000)); // much more than enter() and close() use
                    }
                    aroundNs.addAndGet(ThreadClock.cpuTimeNs() - outerNs);
                }
                return null;
            }));
        }
        tasks.forEach(task -> kind.factory().newThread(task).start());
        long sumNs = 0;
        // Of virtual threads that yield, one carrier may keep others waiting for ever.
        spinWhile(() -> entered.get() == 0);
        for (int closings = 0; closings < 100; closings++) {
            CpuAccount closed = new CpuAccount();
            int seen = entered.get();
            present.set(closed);
            while (entered.get() == seen) {
                closed.read();
            }
            closed.close();
            AccountUsage usage = closed.read();
            sumNs += usage.cpuTimeNs();
            assertThat(usage.unmeasuredParts()).as("unmeasured parts").isZero();
            assertThat(closed.read().toString()).as("figures later").isEqualTo(usage.toString());
        }
        isOver.set(true);
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
        sumNs += first.read().cpuTimeNs();
        long lateNs = CpuAccount.late().cpuTimeNs() - before.cpuTimeNs();
        assertThat(sumNs + lateNs)
                .as("CPU time of the accounts and late, against what the threads read around their parts")
                .isLessThanOrEqualTo(aroundNs.get());
        assertThat(sumNs + lateNs).as("the same, against what they read inside").isGreaterThanOrEqualTo(insideNs.get());
    }

    @Test
    void isForgottenThoughAThreadIsStillInItsPart() throws Exception {
        WeakReference<CpuAccount> forgotten = pool.submit(() -> {
                    CpuAccount closed = new CpuAccount();
                    closed.limit(Long.MAX_VALUE, passed -> closed.read());
                    closed.enter();
                    closed.close();
                    return new WeakReference<>(closed);
                })
                .get();
        pool.submit(() -> {}).get();
        while (forgotten.get() != null) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(forgotten.get()).isNull();
    }

    /* ---- wrappers ---- */

    /** It is a matter of compiling: a lambda means the task that it looks like. */
    @Test
    void wrapsTasksOfEachKind() throws Exception {
        account.wrap(() -> work(WORK_NS)).call();
        account.wrap(() -> {
                    work();
                })
                .run();
        account.wrap(this::workAndAnswer).call();
        assertThat(account.wrapSupplier(this::workAndAnswer).get()).isEqualTo("answer");
        assertThat(account.wrapFunction((Integer one) -> work(WORK_NS) + one).apply(1))
                .isGreaterThanOrEqualTo(WORK_NS);
        account.wrap((Executor) Runnable::run).execute(CpuAccountTest::work);
        run(account.wrapThreadFactory(Thread::new).newThread(CpuAccountTest::work));
        assertMeasured(7);
    }

    @Test
    void measuresTasksOfAnExecutorHoweverTheyAreSubmitted() throws Exception {
        ExecutorService measured = account.wrap(pool);
        measured.submit((Runnable) CpuAccountTest::work).get();
        assertThat(measured.submit(CpuAccountTest::work, "done").get()).isEqualTo("done");
        assertThat(measured.submit(this::workAndAnswer).get()).isEqualTo("answer");
        Callable<String> task = this::workAndAnswer;
        measured.invokeAll(List.of(task, task));
        measured.invokeAll(List.of(task), 1, TimeUnit.MINUTES);
        assertThat(measured.invokeAny(List.of(task))).isEqualTo("answer");
        assertThat(measured.invokeAny(List.of(task), 1, TimeUnit.MINUTES)).isEqualTo("answer");
        CompletableFuture.supplyAsync(this::workAndAnswer, measured)
                .thenApplyAsync(answer -> workAndAnswer(), measured)
                .get();
        measured.shutdown();
        assertThat(measured.awaitTermination(1, TimeUnit.MINUTES)).as("ended").isTrue();
        assertMeasured(10);
        assertThat(pool.isShutdown() && measured.isShutdown() && measured.isTerminated())
                .as("is shut down, and so is the other executor")
                .isTrue();
        assertThat(measured.shutdownNow()).isEmpty();
    }

    @Test
    void measuresEachRunOfAScheduledTask() throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        ScheduledExecutorService measured = account.wrap(timer);
        measured.schedule((Runnable) CpuAccountTest::work, 0, TimeUnit.SECONDS).get();
        assertThat(measured.schedule(this::workAndAnswer, 0, TimeUnit.SECONDS).get())
                .isEqualTo("answer");
        CountDownLatch runs = new CountDownLatch(4);
        AtomicInteger left = new AtomicInteger(2);
        Runnable twice = () -> {
            work();
            runs.countDown();
            if (left.decrementAndGet() == 0) {
                left.set(2);
                throw new IllegalStateException("planted, to end it");
            }
        };
        assertThatThrownBy(measured.scheduleAtFixedRate(twice, 0, 1, TimeUnit.MICROSECONDS)::get)
                .hasRootCauseMessage("planted, to end it");
        assertThatThrownBy(measured.scheduleWithFixedDelay(twice, 0, 1, TimeUnit.MICROSECONDS)::get)
                .hasRootCauseMessage("planted, to end it");
        runs.await();
        timer.shutdown();
        assertThat(timer.awaitTermination(1, TimeUnit.MINUTES)).as("ended").isTrue();
        assertMeasured(6);
    }

    @Test
    void measuresWhatIsForkedInItsOwnWorkers() throws Exception {
        ForkJoinPool workers = new ForkJoinPool(THREADS, account.forkJoinWorkerFactory(), null, false);
        workers.submit(() -> IntStream.range(0, 16).parallel().forEach(i -> work()))
                .get();
        CompletableFuture.runAsync(CpuAccountTest::work, workers).get();
        workers.shutdown();
        assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).as("ended").isTrue();
        AccountUsage usage = account.read();
        assertThat(usage.cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(17 * WORK_NS);
        assertThat(usage.unmeasuredParts() + usage.partsThatMayFork())
                .as("parts of which something may be missing")
                .isZero();
    }

    @Test
    void countsPartsInWorkersOfOtherForkJoinPools() throws Exception {
        CpuAccount inner = new CpuAccount();
        for (ForkJoinPool workers :
                List.of(new ForkJoinPool(1), new ForkJoinPool(1, account.forkJoinWorkerFactory(), null, false))) {
            inner.wrap((ExecutorService) workers)
                    .submit((Runnable) CpuAccountTest::work)
                    .get();
            workers.shutdown();
        }
        inner.wrap(pool).submit((Runnable) CpuAccountTest::work).get();
        assertThat(inner.read().parts()).as("parts").isEqualTo(3);
        assertThat(inner.read().partsThatMayFork()).as("parts that may fork").isEqualTo(2);
    }

    @Test
    void closesAnExecutorAsItClosesItself() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java whose executors close").isGreaterThanOrEqualTo(19);
        ((AutoCloseable) account.wrap(pool)).close();
        assertThat(pool.isTerminated()).as("has ended").isTrue();
    }

    @Test
    void countsATaskThatItsCallerRunsInsideOfAnotherOnce() {
        Executor direct = account.wrap((Executor) Runnable::run);
        long beforeNs = ThreadClock.cpuTimeNs();
        direct.execute(() -> direct.execute(CpuAccountTest::work));
        long aroundNs = ThreadClock.cpuTimeNs() - beforeNs;
        assertMeasured(1);
        assertThat(account.read().cpuTimeNs()).as("CPU time").isLessThanOrEqualTo(aroundNs);
    }

    @Test
    void letsExceptionsPassAndEndsThePart() {
        assertThatThrownBy(account.wrap(CpuAccountTest::fail)::run).isInstanceOf(UnsupportedOperationException.class);
        Callable<String> failing = () -> {
            throw new java.io.IOException("planted");
        };
        assertThatThrownBy(account.wrap(failing)::call).isInstanceOf(java.io.IOException.class);
        assertThatThrownBy(account.wrap(pool).submit(failing)::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("planted");
        AccountUsage ended = account.read();
        work();
        assertThat(account.read().cpuTimeNs()).as("CPU time after the parts").isEqualTo(ended.cpuTimeNs());
        assertThat(ended.parts()).as("parts").isEqualTo(3);
    }

    @Test
    void refusesNullWhereItIsGiven() {
        assertThatThrownBy(() -> account.wrap((Runnable) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> account.wrap(pool).execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> account.limit(1, null)).isInstanceOf(NullPointerException.class);
        assertThatCode(() -> account.wrap((Runnable) () -> {})).doesNotThrowAnyException();
    }

    @Test
    void tellsItsFiguresInWords() {
        assertThat(account)
                .hasToString(
                        "CPU 0 ns = user 0 ns + system 0 ns, run delay 0 ns, not running 0 ns, wall 0 ns, switches"
                                + " 0 voluntary + 0 involuntary, allocated 0 bytes, parts 0 (unmeasured 0, of unknown waits 0, that may fork 0), threads 0");
    }

    private void assertMeasured(int parts) {
        AccountUsage usage = account.read();
        assertThat(usage.parts()).as("parts").isEqualTo(parts);
        assertThat(usage.unmeasuredParts()).as("unmeasured parts").isZero();
        assertThat(usage.cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(parts * WORK_NS);
        assertAddsUp(usage);
    }

    private static void assertAddsUp(AccountUsage usage) {
        assertThat(usage.userTimeNs() + usage.systemTimeNs())
                .as("user time + system time")
                .isEqualTo(usage.cpuTimeNs());
        assertThat(usage.userTimeNs()).as("user time").isBetween(0L, usage.cpuTimeNs());
        assertThat(usage.wallTimeNs()).as("wall time").isGreaterThanOrEqualTo(usage.cpuTimeNs());
    }

    private String workAndAnswer() {
        work();
        return "answer";
    }

    private static void fail() {
        throw new UnsupportedOperationException("planted");
    }

    private static void work() {
        work(WORK_NS);
    }

    private static void workUntil(AtomicBoolean mayEnd) {
        while (!mayEnd.get()) {
            work(1_000);
            Thread.yield();
        }
    }

    private static void spinWhile(BooleanSupplier condition) {
        while (condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static void run(Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
    }

    /** Uses some CPU time, and returns how much. */
    private static long work(long ns) {
        long beginNs = ThreadClock.cpuTimeNs();
        long nowNs = beginNs;
        while (nowNs < beginNs + ns) {
            Thread.onSpinWait();
            nowNs = ThreadClock.cpuTimeNs();
        }
        return nowNs - beginNs;
    }
}
