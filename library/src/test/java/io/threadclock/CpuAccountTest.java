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
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests accounts on the real clock, on threads of both kinds. */
@Timeout(600) // some tests wait for what happens only if the account is right
@SuppressWarnings("try")
class CpuAccountTest {
    private static final long WORK_NS = Work.NS;
    private static final Runnable WORK = Work::use;
    private static final int THREADS = 4;

    private final CpuAccount account = new CpuAccount();
    private final CpuAccount another = new CpuAccount();
    private final CpuAccount counting = CpuAccount.withAllocatedBytes();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicLong insideNs = new AtomicLong();
    private final AtomicLong aroundNs = new AtomicLong();
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

        Future<?> start(Task task) {
            return CpuAccountTest.start(factory(), task);
        }

        void run(Task task) throws Exception {
            start(task).get();
        }

        List<Future<?>> startAll(Task task) {
            return Stream.<Future<?>>generate(() -> start(task)).limit(THREADS).toList();
        }
    }

    interface Task {
        void run() throws Exception;
    }

    private static Future<?> start(ThreadFactory factory, Task task) {
        FutureTask<Void> future = future(task);
        factory.newThread(future).start();
        return future;
    }

    private static FutureTask<Void> future(Task task) {
        return new FutureTask<>(() -> {
            task.run();
            return null;
        });
    }

    private static void join(List<? extends Future<?>> tasks) throws Exception {
        for (Future<?> task : tasks) {
            task.get();
        }
    }

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    private static void in(CpuAccount account, Task task) throws Exception {
        try (CpuAccount.Part part = account.enter()) {
            task.run();
        }
    }

    /** Notes what the thread reads inside of this part and around it. */
    private void bracket(CpuAccount account, Task task) throws Exception {
        long outerNs = ThreadClock.cpuTimeNs();
        try (CpuAccount.Part part = account.enter()) {
            long innerNs = ThreadClock.cpuTimeNs();
            task.run();
            insideNs.addAndGet(ThreadClock.cpuTimeNs() - innerNs);
        }
        aroundNs.addAndGet(ThreadClock.cpuTimeNs() - outerNs);
    }

    private void assertBracketed(long cpuNs) {
        between("CPU time, against what the threads read inside and around", cpuNs, insideNs.get(), aroundNs.get());
    }

    private static void is(String figure, long value, long expected) {
        assertThat(value).as(figure).isEqualTo(expected);
    }

    private static void says(AccountUsage usage, String... figures) {
        assertThat(usage.toString()).contains(figures);
    }

    private static void between(String figure, long value, long least, long most) {
        assertThat(value).as(figure).isBetween(least, most);
    }

    private static void atLeast(String figure, long value, long least) {
        between(figure, value, least, Long.MAX_VALUE);
    }

    private static void assertWorkedIn(CpuAccount account, int parts) {
        AccountUsage usage = account.read();
        is("parts", usage.parts(), parts);
        is("unmeasured parts", usage.unmeasuredParts(), 0);
        atLeast("CPU time", usage.cpuTimeNs(), parts * WORK_NS);
        assertAddsUp(usage);
    }

    private static void assertAddsUp(AccountUsage usage) {
        is("user time + system time", usage.userTimeNs() + usage.systemTimeNs(), usage.cpuTimeNs());
        between("user time", usage.userTimeNs(), 0, usage.cpuTimeNs());
        atLeast("wall time", usage.wallTimeNs(), usage.cpuTimeNs());
    }

    @Test
    void tellsInWordsThatItHasUsedNothingBeforeItsFirstPart() {
        String used = "CPU 0 ns = user 0 ns + system 0 ns, run delay 0 ns, not running 0 ns, wall 0 ns"
                + ", switches 0 voluntary + 0 involuntary, allocated 0 bytes"
                + ", parts 0 (unmeasured 0, of unknown waits 0, that may fork 0), threads 0";
        assertThat(account).hasToString(used);
        assertThat(account.read()).hasToString(used);
    }

    @ParameterizedTest
    @EnumSource
    void hasTheCostOfItsPartsAndNoOther(Kind kind) throws Exception {
        kind.run(() -> {
            for (int i = 0; i < 3; i++) {
                Work.use();
                bracket(account, Work::use);
            }
        });
        assertBracketed(account.read().cpuTimeNs());
        is("threads", account.read().threads(), 1);
        assertWorkedIn(account, 3);
    }

    @ParameterizedTest
    @EnumSource
    void isNoMoreThanWhatTheThreadHasUsedAround(Kind kind) throws Exception {
        kind.run(() -> {
            for (int i = 0; i < 200; i++) {
                CpuAccount each = new CpuAccount();
                CpuTimes before = ThreadClock.read();
                in(each, Thread::yield);
                CpuTimes after = ThreadClock.read();
                between("CPU time", each.read().cpuTimeNs(), 0, after.cpuTimeNs() - before.cpuTimeNs());
                between("user time", each.read().userTimeNs(), 0, after.userTimeNs() - before.userTimeNs());
            }
        });
    }

    @Test
    void countsWhatIsEnteredAgainOnce() throws Exception {
        long beforeNs = ThreadClock.cpuTimeNs();
        in(account, () -> {
            in(account, () -> in(account, Work::use));
            Work.use();
            long cpuNs = account.read().cpuTimeNs();
            between("CPU time, while it runs", cpuNs, 2 * WORK_NS, ThreadClock.cpuTimeNs() - beforeNs);
        });
        is("parts", account.read().parts(), 1);
    }

    @Test
    void goesOnUntilAllThatHaveEnteredAreClosed() {
        CpuAccount.Part first = account.enter();
        CpuAccount.Part second = account.enter();
        first.close();
        Work.use();
        second.close();
        assertWorkedIn(account, 1);
    }

    @Test
    void measuresPartsOfDifferentAccountsInsideOfOneAnother() throws Exception {
        in(account, () -> {
            Work.use();
            bracket(another, () -> {
                Work.use();
                in(account, Work::use);
            });
        });
        assertBracketed(another.read().cpuTimeNs());
        atLeast("the outer one", account.read().cpuTimeNs(), 3 * WORK_NS);
        is("parts of the outer one", account.read().parts(), 1);
    }

    @Test
    void measuresPartsThatAreNotClosedInTheirOrder() {
        List<CpuAccount> accounts = List.of(account, another, counting);
        for (int[] order : new int[][] {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}}) {
            List<CpuAccount.Part> parts =
                    accounts.stream().map(CpuAccount::enter).toList();
            for (int closed : order) {
                long beforeNs = accounts.get(closed).read().cpuTimeNs();
                parts.get(closed).close();
                long endedNs = accounts.get(closed).read().cpuTimeNs();
                Work.use();
                is("account of which no part runs", accounts.get(closed).read().cpuTimeNs(), endedNs);
                atLeast("CPU time at the end", endedNs, beforeNs);
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
        Work.use();
        next.close();
        atLeast(
                "the second part, while which the first was closed again",
                account.read().cpuTimeNs(),
                WORK_NS);
        is("parts", account.read().parts(), 2);
    }

    @Test
    void runsOnWhenAnotherThreadClosesIt() {
        CpuAccount.Part part = account.enter();
        assertThatThrownBy(start(task -> new Thread(task, "stranger"), part::close)::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Closing a part of an account on thread \"stranger\"")
                .hasMessageContaining("\"" + Thread.currentThread().getName() + "\" has entered it");
        Work.use();
        part.close();
        assertWorkedIn(account, 1);
    }

    @ParameterizedTest
    @EnumSource
    void addsUpPartsThatRunAtTheSameTime(Kind kind) throws Exception {
        CountDownLatch haveBegun = new CountDownLatch(THREADS);
        join(kind.startAll(() -> {
            for (int round = 0; round < 100; round++) {
                bracket(account, () -> {
                    haveBegun.countDown();
                    haveBegun.await();
                    Work.use(WORK_NS / 100);
                });
            }
        }));
        AccountUsage usage = account.read();
        assertBracketed(usage.cpuTimeNs());
        says(usage, "parts 400", "threads 4");
        assertAddsUp(usage);
    }

    @ParameterizedTest
    @EnumSource
    void isReadWhilePartsRun(Kind kind) throws Exception {
        Future<?> running = kind.start(() -> in(account, () -> {
            while (!isOver.get()) {
                Work.use(1_000);
                Thread.yield();
            }
        }));
        Work.until(() -> account.read().cpuTimeNs() >= WORK_NS);
        AccountUsage usage = account.read();
        says(usage, "parts 1 (unmeasured 0");
        isOver.set(true);
        running.get();
        atLeast("at the end", account.read().cpuTimeNs(), usage.cpuTimeNs());
    }

    @ParameterizedTest
    @EnumSource
    void neverGoesBack(Kind kind) throws Exception {
        List<Future<?>> threads = kind.startAll(() -> {
            while (!isOver.get()) {
                in(account, Thread::yield);
            }
        });
        try {
            Future<?> other = start(Thread::new, this::readUntilTheyHaveWorked);
            start(Thread::new, this::readUntilTheyHaveWorked).get();
            other.get();
        } finally {
            isOver.set(true);
        }
        join(threads);
    }

    private void readUntilTheyHaveWorked() {
        long[] last = new long[6];
        do {
            AccountUsage usage = account.read();
            long[] next = {
                usage.cpuTimeNs(), usage.userTimeNs(), usage.systemTimeNs(),
                usage.wallTimeNs(), usage.parts(), usage.threads()
            };
            for (int figure = 0; figure < next.length; figure++) {
                atLeast("figure " + figure + " of " + usage, next[figure], last[figure]);
            }
            assertAddsUp(usage);
            last = next;
        } while (last[0] < 30 * WORK_NS);
    }

    @Test
    void hasTheWallTimeOfItsParts() throws Exception {
        long beforeNs = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            in(account, () -> TimeUnit.NANOSECONDS.sleep(WORK_NS));
        }
        AccountUsage usage = account.read();
        between("wall time of two sleeps", usage.wallTimeNs(), 2 * WORK_NS, System.nanoTime() - beforeNs);
        assertThat(usage.cpuTimeNs()).as("CPU time").isLessThan(usage.wallTimeNs());
    }

    @Test
    void dividesWallTimeAsTheThreadHasSpentIt() throws Exception {
        assumeThat(ThreadClock.waits().runDelayNs())
                .as("run delay: %s", ThreadClock.explanation())
                .isNotNegative();
        long beforeNs = System.nanoTime();
        in(account, () -> {
            TimeUnit.NANOSECONDS.sleep(WORK_NS);
            Work.use();
            assertIsWholeWallTime(account.read());
        });
        AccountUsage usage = account.read();
        long waitedNs = usage.notRunningNs() + usage.runDelayNs();
        between("waits, of which there was a sleep", waitedNs, WORK_NS, System.nanoTime() - beforeNs);
        assertThat(usage.voluntarySwitches()).as("voluntary switches").isPositive();
        is("parts of unknown waits", usage.partsOfUnknownWaits(), 0);
        assertIsWholeWallTime(usage);
    }

    private static void assertIsWholeWallTime(AccountUsage usage) {
        long sumNs = usage.cpuTimeNs() + usage.runDelayNs() + usage.notRunningNs();
        is("CPU time + run delay + not running", sumNs, usage.wallTimeNs());
    }

    /** Its carrier's waits are not its own. */
    @Test
    void knowsNoWaitsAndBytesOfVirtualThreads() throws Exception {
        Kind.VIRTUAL.run(() -> in(counting, () -> {
            Thread.sleep(1);
            Work.use();
        }));
        AccountUsage usage = counting.read();
        atLeast("CPU time", usage.cpuTimeNs(), WORK_NS);
        says(usage, "run delay unknown, not running unknown", "unknown voluntary", "of unknown waits 1");
        is("allocated bytes", usage.allocatedBytes(), -1);
        is("parts of unknown bytes", usage.partsOfUnknownBytes(), 1);
    }

    @Test
    void countsWhatItsPartsAllocateIfItIsToldTo() throws Exception {
        int bytes = 1_000_000;
        in(account, () -> in(counting, () -> assertThat(new byte[bytes]).hasSize(bytes)));
        between("bytes that were allocated", counting.read().allocatedBytes(), bytes, 100L * bytes);
        is("parts of unknown bytes", counting.read().partsOfUnknownBytes(), 0);
        is("those of an account that does not count them", account.read().allocatedBytes(), -1);
    }

    @Test
    void countsThreadsExactlyUpTo64() throws Exception {
        for (int thread = 0; thread < PartSlots.OWN_SLOTS; thread++) {
            Kind.PLATFORM.run(() -> account.enter().close());
        }
        is("threads, which have all ended", account.read().threads(), PartSlots.OWN_SLOTS);
        account.enter().close();
        account.enter().close();
        is("with this one, which came twice", account.read().threads(), PartSlots.OWN_SLOTS + 1);
    }

    @Test
    void holdsNoMoreSlotsThanPartsHaveRunAtTheSameTime() throws Exception {
        PartSlots slots = new PartSlots(false);
        Set<PartSlot> used = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 10 * PartSlots.OWN_SLOTS; i++) {
            Thread thread = new Thread(() -> {
                ThreadParts mine = ThreadParts.ofThisThread();
                PartSlot slot = slots.claim(mine);
                slot.begin(mine);
                slot.end(mine);
                used.add(slot);
            });
            thread.start();
            thread.join(); // until it is not alive any more
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
    void hasWhatAThreadWasReadOfThatEndedInAPart() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        FutureTask<Void> work = future(() -> {
            account.enter();
            Work.use();
            mayEnd.await();
        });
        Thread thread = new Thread(work);
        thread.start();
        Work.until(() -> account.read().cpuTimeNs() >= WORK_NS);
        AccountUsage told = account.read();
        mayEnd.countDown();
        thread.join();
        work.get();
        AccountUsage ended = account.read();
        atLeast("CPU time", ended.cpuTimeNs(), told.cpuTimeNs());
        says(ended, "unmeasured 1");
        says(told, "unmeasured 0");
    }

    @Test
    void countsPartsThatCannotBeMeasured() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        FutureTask<Void> nested = future(() -> in(
                account,
                () -> in(account, () -> {
                    is("while it runs", account.read().unmeasuredParts(), 1);
                })));
        VirtualThreads.unstarted(nested).start();
        nested.get();
        in(account, Work::use);
        AccountUsage usage = account.read();
        says(usage, "parts 2 (unmeasured 1");
        atLeast("CPU time of the other one", usage.cpuTimeNs(), WORK_NS);
    }

    /* ---- limits ---- */

    @Test
    void isLookedAtWhenItMayHaveReachedALimit() {
        CpuLimits limits = new CpuLimits(account, new PartSlots(false));
        limits.add(ms(2_000), passed -> {});
        is("at most", limits.delayNs(0, 2), ms(100));
        is("100 ms left, 2 CPUs", limits.delayNs(ms(1_900), 2), ms(50));
        is("at least", limits.delayNs(ms(1_999), 2), ms(10));
        limits.add(ms(1_940), passed -> {});
        is("of the next limit", limits.delayNs(ms(1_900), 2), ms(20));
    }

    private static long ms(long duration) {
        return TimeUnit.MILLISECONDS.toNanos(duration);
    }

    private void count(CpuAccount passed) {
        calls.incrementAndGet();
    }

    private void workUntilItIsOver() {
        while (!isOver.get()) {
            Work.use(1_000);
        }
    }

    /** As in a process that has reached its limit of threads. */
    @Test
    void runsPartsAndActionsWhereNoThreadCanWatchTheLimit() {
        ThreadPoolExecutor watcher = CpuLimits.Watcher.EXECUTOR;
        ThreadFactory before = watcher.getThreadFactory();
        watcher.setCorePoolSize(0);
        Work.until(() -> watcher.getPoolSize() == 0); // another test's
        watcher.setThreadFactory(task -> {
            throw new IllegalStateException("planted: no thread");
        });
        watcher.setCorePoolSize(1);
        try {
            account.limit(WORK_NS, this::count);
            account.wrap(WORK).run();
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
            each.wrap(WORK).run();
            by = first;
        } while (by.get() != Thread.currentThread());
    }

    @Test
    void runsTheActionAtOnceIfTheLimitIsPassed() {
        account.wrap(WORK).run();
        account.limit(WORK_NS, this::count);
        assertThat(calls).hasValue(1);
        account.wrap(WORK).run();
        account.read();
        assertThat(calls).as("calls, in the end").hasValue(1);
    }

    @Test
    void runsTheActionsOfSeveralLimits() throws Exception {
        CompletableFuture<CpuAccount> warned = new CompletableFuture<>();
        account.limit(1_000_000 * WORK_NS, this::count);
        account.limit(WORK_NS, warned::complete);
        account.wrap(WORK).run();
        assertThat(warned.get()).as("told").isSameAs(account);
        assertThat(calls).as("calls of the other action").hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"PLATFORM, false", "VIRTUAL, false", "PLATFORM, true", "VIRTUAL, true"})
    void findsOutBesideAPartThatRunsOn(Kind kind, boolean hasBegunBefore) throws Exception {
        CompletableFuture<String> by = new CompletableFuture<>();
        Consumer<CpuAccount> action =
                passed -> by.complete(Thread.currentThread().getName());
        if (!hasBegunBefore) {
            account.limit(WORK_NS, action);
        }
        Future<?> running = kind.start(() -> in(account, this::workUntilItIsOver));
        if (hasBegunBefore) {
            Work.until(() -> account.read().parts() == 1);
            account.limit(account.read().cpuTimeNs() + WORK_NS, action);
        }
        String name = by.get();
        if (!hasBegunBefore) { // or the limit may be passed when it is set
            assertThat(name).as("the thread that ran the action").isEqualTo("threadclock-limits");
        }
        isOver.set(true);
        running.get();
    }

    @Test
    void runsEachActionOnceHoweverManyFindOutAtOnce() throws Exception {
        for (int round = 1; round <= 100; round++) {
            CpuAccount each = new CpuAccount();
            AtomicInteger ready = new AtomicInteger();
            each.limit(1_000, this::count);
            Callable<Void> task = () -> {
                in(each, () -> {
                    Work.use(1_000);
                    ready.incrementAndGet();
                    Work.until(() -> ready.get() == 2);
                });
                return null;
            };
            join(pool.invokeAll(List.of(task, task)));
            int rounds = round;
            Work.until(() -> calls.get() >= rounds); // the watcher may be the one that calls it
            assertThat(calls).as("calls of the actions").hasValue(rounds);
        }
    }

    @Test
    void runsAnActionOnceIfOthersReadWhileItRuns() throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        account.limit(1, passed -> {
            calls.incrementAndGet();
            passed.read();
            CompletableFuture.runAsync(passed::read, pool).join();
            done.complete(null);
        });
        account.wrap(WORK).run();
        done.get();
        assertThat(calls).as("calls of the action").hasValue(1);
    }

    @Test
    void goesOnIfAnActionFails() throws InterruptedException {
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        account.wrap(WORK).run();
        Thread thread = new Thread(() -> {
            account.limit(1, passed -> {
                throw new IllegalStateException("planted");
            });
            events.add("the next statement");
            account.limit(1, passed -> events.add("the next action"));
        });
        thread.setUncaughtExceptionHandler((where, thrown) -> events.add(thrown.getMessage()));
        thread.start();
        thread.join();
        assertThat(events).containsExactly("planted", "the next statement", "the next action");
    }

    /* ---- closing ---- */

    @ParameterizedTest
    @EnumSource
    void partsAreLateAfterTheClosing(Kind kind) throws Exception {
        account.limit(1, this::count);
        account.close();
        AccountUsage before = CpuAccount.late();
        kind.run(() -> in(account, () -> in(account, Work::use)));
        account.limit(0, this::count);
        AccountUsage late = CpuAccount.late();
        is("parts of the account", account.read().parts(), 0);
        atLeast("late CPU time", late.cpuTimeNs() - before.cpuTimeNs(), WORK_NS);
        is("late parts", late.parts() - before.parts(), 1);
        assertThat(calls).as("calls of actions of a closed account").hasValue(0);
    }

    @Test
    void whatIsDoneForSeveralClosedAccountsIsLateOnce() throws Exception {
        long beforeNs = CpuAccount.late().cpuTimeNs();
        long outerNs = ThreadClock.cpuTimeNs();
        in(
                account,
                () -> in(another, () -> {
                    account.close();
                    another.close();
                    another.wrap(WORK).run();
                }));
        counting.enter().close();
        long lateNs = CpuAccount.late().cpuTimeNs() - beforeNs;
        between("late, against the thread's", lateNs, WORK_NS, ThreadClock.cpuTimeNs() - outerNs);
    }

    /** Threads come and go while others close, and read. */
    @ParameterizedTest
    @EnumSource
    void isWholeWithWhatIsLateWheneverItIsClosed(Kind kind) throws Exception {
        AccountUsage before = CpuAccount.late();
        AtomicInteger entered = new AtomicInteger();
        AtomicReference<CpuAccount> present = new AtomicReference<>(account);
        List<Future<?>> tasks = kind.startAll(() -> {
            CpuAccount last = null;
            while (!isOver.get()) {
                CpuAccount next = present.get();
                if (next == last) {
                    Thread.yield();
                    continue;
                }
                last = next;
                bracket(next, () -> {
                    Work.use(10_000);
                    entered.incrementAndGet();
                    Work.use(50_000); // much more than enter() and close() use
                });
            }
        });
        long sumNs = 0;
        // Of virtual threads that yield, one carrier may keep others waiting for ever.
        Work.until(() -> entered.get() > 0);
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
            is("unmeasured parts", usage.unmeasuredParts(), 0);
            assertThat(closed.read().toString()).as("figures later").isEqualTo(usage.toString());
        }
        isOver.set(true);
        join(tasks);
        assertBracketed(sumNs + account.read().cpuTimeNs() + CpuAccount.late().cpuTimeNs() - before.cpuTimeNs());
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
        Work.until(() -> {
            System.gc();
            return forgotten.get() == null;
        });
    }

    /* ---- wrappers ---- */

    /** It is a matter of compiling: a lambda means the task that it looks like. */
    @Test
    void wrapsTasksOfEachKind() throws Exception {
        account.wrap(() -> Work.use(WORK_NS)).call();
        account.wrap(() -> {
                    Work.use();
                })
                .run();
        account.wrap(this::workAndAnswer).call();
        assertThat(account.wrapSupplier(this::workAndAnswer).get()).isEqualTo("answer");
        long cpuNs =
                account.wrapFunction((Integer one) -> Work.use(WORK_NS) + one).apply(1);
        atLeast("CPU time, and 1", cpuNs, WORK_NS + 1);
        account.wrap((Executor) Runnable::run).execute(WORK);
        Thread thread = account.wrapThreadFactory(Thread::new).newThread(WORK);
        thread.start();
        thread.join();
        assertWorkedIn(account, 7);
    }

    @Test
    void measuresTasksOfAnExecutorHoweverTheyAreSubmitted() throws Exception {
        ExecutorService measured = account.wrap(pool);
        measured.submit(WORK).get();
        assertThat(measured.submit(WORK, "done").get()).isEqualTo("done");
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
        assertWorkedIn(account, 10);
        assertThat(pool.isShutdown() && measured.isShutdown() && measured.isTerminated())
                .as("is shut down, and so is the other executor")
                .isTrue();
        assertThat(measured.shutdownNow()).isEmpty();
    }

    @Test
    void measuresEachRunOfAScheduledTask() throws Exception {
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        ScheduledExecutorService measured = account.wrap(timer);
        measured.schedule(WORK, 0, TimeUnit.SECONDS).get();
        assertThat(measured.schedule(this::workAndAnswer, 0, TimeUnit.SECONDS).get())
                .isEqualTo("answer");
        CountDownLatch runs = new CountDownLatch(4);
        AtomicInteger left = new AtomicInteger(2);
        Runnable twice = () -> {
            Work.use();
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
        assertWorkedIn(account, 6);
    }

    @Test
    void measuresWhatIsForkedInItsOwnWorkers() throws Exception {
        ForkJoinPool workers = new ForkJoinPool(THREADS, account.forkJoinWorkerFactory(), null, false);
        workers.submit(() -> IntStream.range(0, 16).parallel().forEach(i -> Work.use()))
                .get();
        CompletableFuture.runAsync(WORK, workers).get();
        workers.shutdown();
        assertThat(workers.awaitTermination(1, TimeUnit.MINUTES)).as("ended").isTrue();
        AccountUsage usage = account.read();
        atLeast("CPU time", usage.cpuTimeNs(), 17 * WORK_NS);
        is("parts of which something may be missing", usage.unmeasuredParts() + usage.partsThatMayFork(), 0);
    }

    @Test
    void countsPartsInWorkersOfOtherForkJoinPools() throws Exception {
        for (ForkJoinPool workers :
                List.of(new ForkJoinPool(1), new ForkJoinPool(1, account.forkJoinWorkerFactory(), null, false))) {
            another.wrap((ExecutorService) workers).submit(WORK).get();
            workers.shutdown();
        }
        another.wrap(pool).submit(WORK).get();
        is("parts", another.read().parts(), 3);
        is("parts that may fork", another.read().partsThatMayFork(), 2);
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
        direct.execute(() -> direct.execute(WORK));
        long aroundNs = ThreadClock.cpuTimeNs() - beforeNs;
        assertWorkedIn(account, 1);
        between("CPU time", account.read().cpuTimeNs(), 0, aroundNs);
    }

    @Test
    void letsExceptionsPassAndEndsThePart() {
        Runnable broken = () -> {
            throw new UnsupportedOperationException("planted");
        };
        assertThatThrownBy(account.wrap(broken)::run).isInstanceOf(UnsupportedOperationException.class);
        Callable<String> failing = () -> {
            throw new java.io.IOException("planted");
        };
        assertThatThrownBy(account.wrap(failing)::call).isInstanceOf(java.io.IOException.class);
        assertThatThrownBy(account.wrap(pool).submit(failing)::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("planted");
        AccountUsage ended = account.read();
        Work.use();
        is("CPU time after the parts", account.read().cpuTimeNs(), ended.cpuTimeNs());
        is("parts", ended.parts(), 3);
    }

    @Test
    void refusesNullWhereItIsGiven() {
        assertThatThrownBy(() -> account.wrap((Runnable) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> account.wrap(pool).execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> account.limit(1, null)).isInstanceOf(NullPointerException.class);
        assertThatCode(() -> account.wrap((Runnable) () -> {})).doesNotThrowAnyException();
    }

    private String workAndAnswer() {
        Work.use();
        return "answer";
    }
}
