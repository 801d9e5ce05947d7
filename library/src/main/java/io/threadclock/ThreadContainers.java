// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The virtual threads of this JVM, as the JDK lists them for its thread dumps: in a tree of containers (one for each
 * executor and scope, and one for all other threads). Nothing is kept for it, and a clock needs no list of its own.
 */
final class ThreadContainers {
    private ThreadContainers() {}

    /** Whether this JDK lists them in the way that is known. */
    static boolean areKnown() {
        return Handles.ROOT != null;
    }

    /**
     * Passes each living thread, virtual or not, to {@code call}. Threads that start or end meanwhile may be missing.
     */
    static void forEachThread(Consumer<Thread> call) {
        ArrayDeque<Object> open = new ArrayDeque<>();
        open.add(call(Handles.ROOT));
        while (!open.isEmpty()) {
            Object container = open.remove();
            Iterator<?> threads = stream(Handles.THREADS, container).iterator();
            while (threads.hasNext()) {
                call.accept((Thread) threads.next());
            }
            stream(Handles.CHILDREN, container).forEach(open::add);
        }
    }

    private static Stream<?> stream(MethodHandle method, Object container) {
        try {
            return (Stream<?>) method.invokeExact(container);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    private static Object call(MethodHandle root) {
        try {
            return (Object) root.invokeExact();
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return thrown instanceof RuntimeException ? (RuntimeException) thrown : new IllegalStateException(thrown);
    }

    /** Either all three are null or none is. They are looked up when they are first needed. */
    private static final class Handles {
        static final MethodHandle ROOT;
        static final MethodHandle CHILDREN;
        static final MethodHandle THREADS;

        static {
            MethodHandle[] found = Measurability.reason() == null ? NativeVirtualClocks.containerHandles() : null;
            MethodType ofContainer = MethodType.methodType(Stream.class, Object.class);
            ROOT = found == null ? null : found[0].asType(MethodType.methodType(Object.class));
            CHILDREN = found == null ? null : found[1].asType(ofContainer);
            THREADS = found == null ? null : found[2].asType(ofContainer);
        }
    }
}
