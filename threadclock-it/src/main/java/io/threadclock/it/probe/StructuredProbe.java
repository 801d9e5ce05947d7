// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Forks two tasks in a StructuredTaskScope whose factory is threadclock's; they inherit a ScopedValue, read themselves,
 * and have a common account. Uses reflection, because these classes came as previews, and each JDK opens a scope in its own
 * way.
 */
public final class StructuredProbe {
    private static final String SCOPE = "java.util.concurrent.StructuredTaskScope";
    private static final String VALUE = "java.lang.ScopedValue";
    private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private StructuredProbe() {}

    public static void main(String[] arguments) throws Exception {
        CpuAccount account = new CpuAccount();
        ThreadFactory factory = account.wrapThreadFactory(VirtualThreads.factory());
        Object user = type(VALUE).getMethod("newInstance").invoke(null);
        Object carrier =
                type(VALUE).getMethod("where", type(VALUE), Object.class).invoke(null, user, "alice");
        type(VALUE + "$Carrier").getMethod("run", Runnable.class).invoke(carrier, (Runnable)
                () -> unchecked(() -> forkTwo(factory, user)));
        AccountUsage usage = account.read();
        Fact.print("cpuNs", usage.cpuTimeNs());
        Fact.print("parts", usage.parts());
        Fact.print("unmeasured", usage.unmeasuredParts());
    }

    private static Object forkTwo(ThreadFactory factory, Object user) throws Exception {
        Callable<String> task = () -> workAs(user);
        try (AutoCloseable scope = open(factory)) {
            Method fork = type(SCOPE).getMethod("fork", Callable.class);
            Object first = fork.invoke(scope, task);
            Object second = fork.invoke(scope, task);
            type(SCOPE).getMethod("join").invoke(scope);
            Method get = type(SCOPE + "$Subtask").getMethod("get");
            Fact.print("first", get.invoke(first));
            Fact.print("second", get.invoke(second));
        }
        return null;
    }

    /** Up to JDK 24 by a constructor. */
    private static AutoCloseable open(ThreadFactory factory) throws ReflectiveOperationException {
        if (!type(SCOPE).isInterface()) {
            return (AutoCloseable) type(SCOPE)
                    .getConstructor(String.class, ThreadFactory.class)
                    .newInstance("scope", factory);
        }
        Object joiner =
                type(SCOPE + "$Joiner").getMethod("awaitAllSuccessfulOrThrow").invoke(null);
        Method withFactory = type(SCOPE + "$Configuration").getMethod("withThreadFactory", ThreadFactory.class);
        UnaryOperator<Object> configure = defaults -> unchecked(() -> withFactory.invoke(defaults, factory));
        Method open = Stream.of(type(SCOPE).getMethods())
                .filter(method -> method.getName().equals("open") && method.getParameterCount() == 2)
                .findFirst()
                .get();
        return (AutoCloseable) open.invoke(null, joiner, configure);
    }

    private static String workAs(Object user) throws Exception {
        long beginNs = ThreadClock.cpuTimeNs();
        while (ThreadClock.cpuTimeNs() - beginNs < WORK_NS) {
            Thread.sleep(0, 1);
        }
        return type(VALUE).getMethod("get").invoke(user) + " has worked";
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name);
    }

    private static Object unchecked(Callable<?> call) {
        try {
            return call.call();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
