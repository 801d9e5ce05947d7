// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Adds up what a piece of work costs on all its threads: a request, a query, a job, a tenant. Work that moves from
 * thread to thread, or runs on several at once, is measured in parts, each in the thread that does it.
 *
 * <pre>{@code
 * CpuAccount account = new CpuAccount();
 * ExecutorService pool = account.wrap(executor);
 * Future<Integer> parsed = pool.submit(() -> parse(request)); // a part
 * try (CpuAccount.Part part = account.enter()) { // another one, in this thread
 *     render(parsed.get());
 * }
 * log(account.read());
 * }</pre>
 *
 * <p>A thread that enters an account again, directly or in what it calls, goes on with the same part: nothing counts
 * twice. Parts of different accounts may be nested, and each account has the whole cost of its part. Parts in several
 * threads at the same time add up.
 *
 * <p>Parts are measured in platform threads, and in virtual threads that are measured ({@link VirtualThreads}). In a
 * thread that cannot be read ({@link ThreadClock#canRead()}), the work runs all the same, and the part is counted as
 * {@linkplain AccountUsage#unmeasuredParts() unmeasured}.
 *
 * <p>Work that a request has started may go on after the answer, as a periodic task does, and its parts with it.
 * {@link #close()} the account then: the rest is {@linkplain #late() late}.
 *
 * <p>All methods are thread-safe, and none waits for another thread or takes a lock; threads that use one account at
 * the same time do not slow each other down. Costs: docs/account.md.
 *
 * @since 0.1
 */
public final class CpuAccount implements AutoCloseable {
    private static final AtomicReferenceFieldUpdater<CpuAccount, CpuLimits> LIMITS =
            AtomicReferenceFieldUpdater.newUpdater(CpuAccount.class, CpuLimits.class, "limits");

    final PartSlots slots;

    /** Null until there is the first limit. */
    private volatile CpuLimits limits;

    /** Creates an account that has used nothing. */
    public CpuAccount() {
        this(false);
    }

    private CpuAccount(boolean countsBytes) {
        slots = new PartSlots(countsBytes);
    }

    /**
     * {@return an account that also counts the bytes that its parts allocate} The first one of the process loads
     * {@code ThreadMXBean}, which takes some ms. Each part then reads it twice: a few ns on Java 14 and newer; before,
     * the JVM searches its threads, and each reading itself allocates some bytes. Costs: docs/account.md.
     */
    public static CpuAccount withAllocatedBytes() {
        return new CpuAccount(true);
    }

    /**
     * Begins a part in the calling thread, or goes on with the one that has begun in it. The former costs a reading of
     * {@link ThreadClock}, which has the wall time, too, and some ns; in a virtual thread also
     * {@link System#nanoTime()}. Allocates the 24 bytes of the result, unless compiled code does without, and nothing
     * else after a thread's first parts; after a garbage collection between two parts, the next one makes what the
     * thread needs for its parts again.
     *
     * @return to be closed by the same thread
     */
    public Part enter() {
        ThreadParts mine = ThreadParts.ofThisThread();
        PartSlot slot = mine.find(slots);
        if (slot != null) {
            slot.nested++;
        } else {
            slot = begin(mine);
        }
        return new Part(this, mine, slot);
    }

    private PartSlot begin(ThreadParts mine) {
        PartSlot slot = slots.claim(mine);
        if (slot == null) {
            return enterLate(mine);
        }
        slot.begin(mine);
        CpuLimits watched = limits;
        if (watched != null) {
            watched.watch();
        }
        return slot;
    }

    /** The thread may be in a late part already, which then goes on. */
    private static PartSlot enterLate(ThreadParts mine) {
        PartSlot late = mine.findLate();
        if (late != null) {
            late.nested++;
            return late;
        }
        PartSlot begun = PartSlots.LATE.claim(mine);
        begun.begin(mine);
        return begun;
    }

    private long end(PartSlot slot, ThreadParts mine) {
        long cpuNs = slot.end(mine);
        CpuLimits checked = limits;
        if (checked != null) {
            checked.check(slots.endedCpuNs());
        }
        return cpuNs;
    }

    /**
     * {@return what all parts have used so far, including those that run} Each part is read in one consistent reading,
     * one part after the other. No figure is less than in an earlier reading, except
     * {@link AccountUsage#unmeasuredParts()}, {@link AccountUsage#partsOfUnknownWaits()}, figures of waits, which are
     * -1 until they are known of a part, and system time where readings come from {@code ThreadMXBean}. Costs one
     * system call or more for each part that runs in another thread; allocates a few objects.
     */
    public AccountUsage read() {
        AccountUsage usage = new AccountUsage(slots.sum());
        CpuLimits checked = limits;
        if (checked != null) {
            checked.check(usage.cpuTimeNs());
        }
        return usage;
    }

    /**
     * Ends the account. {@link #read()} returns from now on what its parts have used so far, no limit is acted on, and
     * limits are forgotten. Parts run on and may begin, but what they use is {@linkplain #late() late}. Nothing of this
     * library keeps a closed account in memory; what is left of it is small, because tasks that refer to it may. Does
     * nothing if the account has been closed already.
     *
     * <p>Costs as much as {@link #read()}.
     */
    @Override
    public void close() {
        slots.close(ThreadParts.ofThisThread());
        CpuLimits ended = limits;
        if (ended != null) {
            ended.forget();
        }
    }

    /**
     * {@return what parts of all closed accounts of the process have used after the closing, including those that run}
     * What a thread does for several of them at once counts once. Bytes are not counted. Costs as much as
     * {@link #read()}.
     */
    public static AccountUsage late() {
        return new AccountUsage(PartSlots.LATE.sum());
    }

    /**
     * Has an action run once, when the account has used so much CPU time. The thread that finds out first runs it: one
     * that closes a part or reads the account; or {@code threadclock-limits}, a daemon thread which looks at all
     * accounts that have parts that run and a limit that is not reached, when they may have reached it, every 10 to 100
     * ms. The action may therefore run while parts do, and should only make them stop: by a flag or an interrupt. If it
     * throws, the thread's uncaught exception handler is called, and everything goes on.
     *
     * <p>An account may have several limits, for example one to warn at, and one to cancel at. While it has any that is
     * not reached, closing a part also adds up the parts that have ended. A closed account has no limits.
     *
     * @param cpuTimeNs CPU time of all parts since the account was made; if it is used already, the action runs at once
     * @param action is told this account
     */
    public void limit(long cpuTimeNs, Consumer<? super CpuAccount> action) {
        Objects.requireNonNull(action, "action");
        if (slots.isClosed()) {
            return;
        }
        CpuLimits all = limitsMade();
        all.add(cpuTimeNs, action);
        read();
        if (slots.isAnyInUse()) {
            all.watch();
        }
    }

    private CpuLimits limitsMade() {
        if (limits == null) {
            LIMITS.compareAndSet(this, null, new CpuLimits(this, slots));
        }
        return limits;
    }

    /**
     * {@return a task that is a part of this account whenever it runs}
     *
     * @param task may throw; its exceptions pass
     */
    @SuppressWarnings("try")
    public Runnable wrap(Runnable task) {
        Objects.requireNonNull(task, "task");
        return () -> {
            try (Part part = enter()) {
                task.run();
            }
        };
    }

    /**
     * {@return a task that is a part of this account whenever it runs}
     *
     * @param <T> of its result
     * @param task may throw; its exceptions pass
     */
    @SuppressWarnings("try")
    public <T> Callable<T> wrap(Callable<T> task) {
        Objects.requireNonNull(task, "task");
        return () -> {
            try (Part part = enter()) {
                return task.call();
            }
        };
    }

    /**
     * {@return a supplier that is a part of this account whenever it is asked}
     *
     * @param <T> of its result
     * @param supplier may throw; its exceptions pass
     */
    @SuppressWarnings("try")
    public <T> Supplier<T> wrapSupplier(Supplier<T> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        return () -> {
            try (Part part = enter()) {
                return supplier.get();
            }
        };
    }

    /**
     * {@return a function that is a part of this account whenever it is called}
     *
     * @param <T> of its argument
     * @param <R> of its result
     * @param function may throw; its exceptions pass
     */
    @SuppressWarnings("try")
    public <T, R> Function<T, R> wrapFunction(Function<T, R> function) {
        Objects.requireNonNull(function, "function");
        return argument -> {
            try (Part part = enter()) {
                return function.apply(argument);
            }
        };
    }

    /**
     * {@return an executor whose tasks are parts of this account} This is for {@code CompletableFuture}, too.
     *
     * @param executor runs the tasks
     */
    public Executor wrap(Executor executor) {
        Objects.requireNonNull(executor, "executor");
        return task -> executor.execute(wrap(task));
    }

    /**
     * {@return an executor whose tasks are parts of this account} Everything else is done by the executor, so
     * {@code shutdown()} and {@code close()} end it.
     *
     * @param executor runs the tasks; it may serve other accounts, too
     */
    public ExecutorService wrap(ExecutorService executor) {
        return new AccountExecutorService(this, Objects.requireNonNull(executor, "executor"));
    }

    /**
     * {@return an executor whose tasks are parts of this account, each run of a repeated one} Everything else is done
     * by the executor, so {@code shutdown()} and {@code close()} end it.
     *
     * @param executor runs the tasks; it may serve other accounts, too
     */
    public ScheduledExecutorService wrap(ScheduledExecutorService executor) {
        return new AccountScheduledExecutorService(this, Objects.requireNonNull(executor, "executor"));
    }

    /**
     * {@return a factory whose threads are parts of this account, from the first to the last instruction of their task}
     * This is for {@code StructuredTaskScope}, too: wrap {@link VirtualThreads#factory()}.
     *
     * @param factory makes the threads
     */
    public ThreadFactory wrapThreadFactory(ThreadFactory factory) {
        Objects.requireNonNull(factory, "factory");
        return task -> factory.newThread(wrap(task));
    }

    /**
     * {@return a factory for a {@code ForkJoinPool} whose workers are parts of this account as long as they live} What
     * runs in the pool and forks is measured on all its workers: parallel streams and sorts that a task of the pool
     * calls, {@code RecursiveTask}s, stages of {@code CompletableFuture}s to which the pool is passed. In other pools a
     * part has only what its own thread runs: {@link AccountUsage#partsThatMayFork()}. While a worker has nothing to do
     * it is not running.
     *
     * <pre>{@code
     * ForkJoinPool pool = new ForkJoinPool(4, account.forkJoinWorkerFactory(), null, false);
     * pool.submit(() -> list.parallelStream().forEach(this::handle)).get();
     * pool.shutdown();
     * }</pre>
     */
    public ForkJoinPool.ForkJoinWorkerThreadFactory forkJoinWorkerFactory() {
        return pool -> new AccountWorker(pool, this);
    }

    /** {@return what {@link #read()} returns, in words} */
    @Override
    public String toString() {
        return read().toString();
    }

    /**
     * A part of an account: what one thread does from {@link CpuAccount#enter()} to {@link #close()}. If the thread has
     * entered the account several times, the part ends when it has closed as many.
     *
     * <p>A part that its thread never closes runs until the thread ends. Its usage since the account was last read is
     * lost then, and the part is counted as unmeasured.
     */
    public static final class Part implements AutoCloseable {
        private final CpuAccount account;
        private final ThreadParts mine;

        /** Null if this has been closed. */
        private PartSlot slot;

        Part(CpuAccount account, ThreadParts mine, PartSlot slot) {
            this.account = account;
            this.mine = mine;
            this.slot = slot;
        }

        /**
         * Ends the part. Does nothing if this has been closed already. Costs as much as {@link CpuAccount#enter()}.
         *
         * @throws IllegalStateException if another thread than the one that entered calls it; the part runs on
         */
        @Override
        public void close() {
            end();
        }

        /**
         * Ends the part as {@link #close()}.
         *
         * @return CPU time of the part, until the account was closed, in ns. -1 if it is not known; if this has been
         *     closed already; or if the part goes on, because the thread has entered the account several times
         * @throws IllegalStateException as {@link #close()}
         */
        public long end() {
            if (!mine.isOf(Thread.currentThread())) {
                throw refusal();
            }
            PartSlot closed = slot;
            slot = null;
            if (closed == null) {
                return ThreadWaits.UNKNOWN;
            }
            if (closed.nested > 0) {
                closed.nested--;
                return ThreadWaits.UNKNOWN;
            }
            return account.end(closed, mine);
        }

        private IllegalStateException refusal() {
            Thread thread = mine.owner.get();
            return new IllegalStateException("Closing a part of an account on thread \""
                    + Thread.currentThread().getName() + "\": thread \"" + (thread == null ? "" : thread.getName())
                    + "\" has entered it, and CPU time is a thread's own. Close it there.");
        }
    }
}
