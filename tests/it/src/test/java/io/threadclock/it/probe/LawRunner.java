// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.opentest4j.TestAbortedException;

/**
 * Runs the tests of one class in a child JVM: those whose names it is given, each a line of standard input. It prints
 * whether the class could be prepared (its methods with BeforeAll, its constructor), and whether each test has passed,
 * or why not. JUnit itself would load a thousand classes into the JVM that is measured.
 *
 * <p>Arguments: the class, and the tests to be called at once, instead of any whose names would come. The program ends
 * with the first that fails, and its failure.
 */
public final class LawRunner {
    /** Begins a line of its output; the rest is {@link #PASSED} or the serialized failure. */
    public static final String ANSWER = "law ";

    public static final String PASSED = "passed";

    private final Class<?> type;
    private Object subject;

    private LawRunner(Class<?> type) {
        this.type = type;
    }

    public static void main(String[] arguments) throws Exception {
        LawRunner runner = new LawRunner(Class.forName(arguments[0]));
        if (arguments.length > 1) {
            runner.prepare();
            for (int i = 1; i < arguments.length; i++) {
                runner.call(arguments[i]);
            }
            return;
        }
        tell(failureOf(runner::prepare));
        for (String test = nextLine(); !test.isEmpty(); test = nextLine()) {
            String name = test;
            tell(failureOf(() -> runner.call(name)));
        }
    }

    private static void tell(Throwable failure) throws IOException {
        System.out.println(ANSWER + (failure == null ? PASSED : serialized(failure)));
    }

    private void prepare() throws Exception {
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.isAnnotationPresent(BeforeAll.class)) {
                    call(method);
                }
            }
        }
        subject = type.getDeclaredConstructor().newInstance();
    }

    private void call(String name) throws Exception {
        Class<?> declaring = type;
        while (declaring != Object.class) {
            for (Method method : declaring.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    call(method);
                    return;
                }
            }
            declaring = declaring.getSuperclass();
        }
        throw new NoSuchMethodException(type + " has no test " + name + "()");
    }

    private void call(Method method) throws Exception {
        method.setAccessible(true);
        method.invoke(Modifier.isStatic(method.getModifiers()) ? null : subject);
    }

    private static Throwable failureOf(Work work) {
        try {
            work.run();
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    /** From the unbuffered stream, from which {@link Gate} reads as well. An empty line is the end, too. */
    private static String nextLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int one = System.in.read(); one >= 0 && one != '\n'; one = System.in.read()) {
            line.write(one);
        }
        return new String(line.toByteArray(), StandardCharsets.UTF_8);
    }

    /** A copy by classes that each JDK can read. */
    private static String serialized(Throwable failure) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(copy(failure));
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static Throwable copy(Throwable failure) {
        Throwable cause = failure.getCause() == null ? null : copy(failure.getCause());
        Throwable copy = failure instanceof TestAbortedException
                ? new TestAbortedException(failure.getMessage(), cause)
                : new AssertionError(
                        failure instanceof AssertionError ? failure.getMessage() : failure.toString(), cause);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }

    private interface Work {
        void run() throws Exception;
    }
}
