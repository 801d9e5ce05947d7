// SPDX-License-Identifier: Apache-2.0

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Prints what calls of the API of threads answer for virtual threads that are measured in the way of the argument:
 * {@code none}, {@code factory}, {@code measure}, {@code current} or {@code agent}. The output does not depend on it.
 */
final class ThreadContract {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final ThreadLocal<String> LOCAL = ThreadLocal.withInitial(() -> "initial");
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    private final String way;
    private volatile boolean mayGoOn;

    private ThreadContract(String way) {
        this.way = way;
    }

    public static void main(String[] arguments) throws Exception {
        ThreadContract contract = new ThreadContract(arguments[0]);
        INHERITED.set("inherited");
        contract.started(() -> {}).join(); // the first thread that is measured waits for a trial
        contract.printLife();
        contract.printJoins();
        contract.printInterrupts();
        contract.printNames();
        contract.printFailures();
        contract.printLocals();
        contract.printScoped();
        contract.printExecutor();
    }

    private static void print(String what, Object answer) {
        System.out.println(what + ": " + answer);
    }

    /** Makes threads in the way of the argument. Whatever that is, the stack of the task is the same. */
    private ThreadFactory factory(Thread.Builder.OfVirtual builder) {
        ThreadFactory stock = builder.factory();
        ThreadFactory factory = way.equals("factory") ? VirtualThreads.factory(stock) : stock;
        return task -> {
            Thread thread = factory.newThread(() -> {
                boolean isMeasured = way.equals("current") ? VirtualThreads.measureCurrent() : !way.equals("none");
                if (ThreadClock.canRead() != isMeasured) {
                    throw new AssertionError("is measured: " + !isMeasured);
                }
                task.run();
            });
            if (way.equals("measure")) {
                VirtualThreads.measure(thread);
            }
            return thread;
        };
    }

    private Thread unstarted(Runnable task) {
        return factory(Thread.ofVirtual()).newThread(task);
    }

    private Thread started(Runnable task) {
        Thread thread = unstarted(task);
        thread.start();
        return thread;
    }

    private static String answer(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (Exception thrown) {
            return thrown.getClass().getName();
        }
    }

    private static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            if (!thread.isAlive()) {
                throw new AssertionError("ended instead of being " + state);
            }
            Thread.sleep(1);
        }
    }

    private static String stackOf(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> frame.getClassName().replaceAll("(Lambda)?/0x.*", "") + "." + frame.getMethodName())
                .collect(Collectors.joining(" "));
    }

    private static String textOf(Thread thread) {
        return thread.toString().replaceAll("#\\d+|@.*", "");
    }

    private void printLife() throws Exception {
        Object monitor = new Object();
        Thread thread = unstarted(() -> live(monitor));
        print("new", thread.getState() + " " + thread.isAlive() + " " + stackOf(thread) + textOf(thread));
        synchronized (monitor) {
            thread.start();
            print("started again", answer(() -> {
                thread.start();
                return "started";
            }));
            await(thread, Thread.State.RUNNABLE);
            print("running", thread.isAlive());
            mayGoOn = true;
            await(thread, Thread.State.BLOCKED);
            print("blocked", stackOf(thread));
        }
        await(thread, Thread.State.TIMED_WAITING);
        print("sleeping", stackOf(thread) + " " + textOf(thread));
        print("of all stacks", Thread.getAllStackTraces().containsKey(thread));
        thread.interrupt();
        await(thread, Thread.State.WAITING);
        print("parked", stackOf(thread));
        LockSupport.unpark(thread);
        thread.join();
        print("ended", thread.getState() + " " + thread.isAlive() + " " + stackOf(thread) + textOf(thread));
    }

    private void live(Object monitor) {
        while (!mayGoOn) {
            Thread.onSpinWait();
        }
        synchronized (monitor) {
            print("holds", Thread.holdsLock(monitor));
        }
        print("sleep", answer(() -> {
            Thread.sleep(LONG);
            return "slept";
        }));
        print("isInterrupted", Thread.currentThread().isInterrupted());
        print("walked", StackWalker.getInstance().walk(frames -> frames.map(StackWalker.StackFrame::getMethodName)
                .toList()));
        LockSupport.park(); // returns at once: the interrupt has left a permit
        LockSupport.park();
    }

    private void printJoins() throws Exception {
        Thread thread = unstarted(LockSupport::park);
        print("join before start", answer(() -> thread.join(Duration.ofMillis(1))));
        thread.start();
        await(thread, Thread.State.WAITING);
        print("join of 1 ms", thread.join(Duration.ofMillis(1)));
        thread.join(1);
        print("alive", thread.isAlive());
        Thread.currentThread().interrupt();
        print("join, interrupted", answer(() -> {
            thread.join();
            return "joined";
        }));
        LockSupport.unpark(thread);
        print("join", thread.join(LONG));
        print("join again", thread.join(Duration.ZERO));
    }

    private void printInterrupts() throws Exception {
        List<String> seen = new ArrayList<>();
        Thread early = unstarted(() -> seen.add("early " + Thread.interrupted() + Thread.interrupted()));
        early.interrupt();
        early.start();
        early.join();
        Thread parked = started(() -> {
            LockSupport.park();
            seen.add("parked " + Thread.currentThread().isInterrupted());
            LockSupport.park(); // returns at once
            seen.add("again " + Thread.interrupted());
        });
        await(parked, Thread.State.WAITING);
        parked.interrupt();
        parked.join();
        parked.interrupt();
        Object monitor = new Object();
        Thread waiting = started(() -> {
            synchronized (monitor) {
                seen.add("waiting "
                        + answer(() -> {
                            monitor.wait();
                            return "notified";
                        }));
            }
        });
        await(waiting, Thread.State.WAITING);
        print("waiting", stackOf(waiting));
        waiting.interrupt();
        waiting.join();
        print("interrupts", seen + " " + parked.isInterrupted());
    }

    private void printNames() throws Exception {
        ThreadFactory named = factory(Thread.ofVirtual().name("w-", 5));
        Thread first = named.newThread(LockSupport::park);
        Thread second = named.newThread(() -> Thread.currentThread().setName("renamed by itself"));
        print("names", first.getName() + " " + second.getName());
        first.start();
        await(first, Thread.State.WAITING);
        first.setName("renamed");
        first.setPriority(Thread.MAX_PRIORITY);
        print(
                "parked",
                textOf(first) + first.getPriority() + first.isDaemon() + first.isVirtual() + first.getThreadGroup());
        print("no daemon", answer(() -> {
            first.setDaemon(false);
            return "is none";
        }));
        LockSupport.unpark(first);
        first.join();
        second.start();
        second.join();
        print("ended", first.getName() + ", " + second.getName() + " " + first.getThreadGroup());
    }

    private void printFailures() throws Exception {
        List<String> seen = new ArrayList<>();
        Thread.UncaughtExceptionHandler handler =
                (thread, failure) -> seen.add(thread.getState() + " " + failure + " in "
                        + Arrays.stream(failure.getStackTrace())
                                .map(StackTraceElement::getMethodName)
                                .toList());
        Runnable failing = () -> {
            throw new IllegalStateException("planted");
        };
        Thread ofBuilder =
                factory(Thread.ofVirtual().uncaughtExceptionHandler(handler)).newThread(failing);
        ofBuilder.start();
        ofBuilder.join();
        Thread own = unstarted(failing);
        own.setUncaughtExceptionHandler(handler);
        own.start();
        own.join();
        Thread.setDefaultUncaughtExceptionHandler(handler);
        started(failing).join();
        print("failures", seen);
        print("handler of an ended thread", own.getUncaughtExceptionHandler());
    }

    private void printLocals() throws Exception {
        List<String> seen = new ArrayList<>();
        Runnable looking = () -> {
            seen.add(LOCAL.get() + " " + INHERITED.get() + " "
                    + (Thread.currentThread().getContextClassLoader() == ThreadContract.class.getClassLoader()));
            LOCAL.set("own");
            Thread.yield();
            seen.add(LOCAL.get());
        };
        started(looking).join();
        Thread without = factory(Thread.ofVirtual().inheritInheritableThreadLocals(false))
                .newThread(looking);
        without.start();
        without.join();
        print("locals", seen + " " + LOCAL.get());
    }

    /**
     * Reflection is used because scoped values came with Java 25. Tasks of a scope inherit them, other threads do not.
     */
    private void printScoped() throws Exception {
        if (Runtime.version().feature() < 25) {
            return;
        }
        Class<?> type = Class.forName("java.lang.ScopedValue");
        Object scoped = type.getMethod("newInstance").invoke(null);
        List<Object> seen = new ArrayList<>();
        Runnable looking = () ->
                seen.add(answer(() -> type.getMethod("orElse", Object.class).invoke(scoped, "unbound")));
        Runnable bound = () -> {
            looking.run();
            Thread.yield();
            looking.run();
            answer(() -> started(looking).join(LONG));
        };
        Object carrier = type.getMethod("where", type, Object.class).invoke(null, scoped, "bound");
        Class<?> binding = Class.forName("java.lang.ScopedValue$Carrier");
        started(() -> answer(() -> binding.getMethod("run", Runnable.class).invoke(carrier, bound)))
                .join();
        print("scoped", seen);
    }

    private void printExecutor() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        try (var executor = Executors.newThreadPerTaskExecutor(factory(Thread.ofVirtual()))) {
            var answered = executor.submit(() -> "answer");
            var interrupted = executor.submit(() -> {
                begun.countDown();
                return answer(() -> {
                    Thread.sleep(LONG);
                    return "slept";
                });
            });
            var failed = executor.submit(() -> {
                throw new IllegalStateException("planted");
            });
            begun.await();
            print("executor", answered.get() + " " + answer(failed::get));
            executor.shutdownNow();
            print("after shutdownNow", interrupted.get() + " " + answer(() -> executor.submit(() -> {})));
        }
    }
}
