// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * An object of a foreign library, called by reflection, because these libraries are on the class paths of single child
 * JVMs only, in versions that exclude one another.
 */
final class Foreign {
    private final Object object;

    private Foreign(Object object) {
        this.object = object;
    }

    static Foreign of(Object object) {
        return new Foreign(object);
    }

    /** Calls the constructor that takes these arguments. */
    static Foreign create(String type, Object... arguments) {
        try {
            Constructor<?> constructor = only(
                    Arrays.stream(Class.forName(type).getConstructors()),
                    each -> takes(each.getParameterTypes(), arguments));
            return new Foreign(constructor.newInstance(arguments));
        } catch (ReflectiveOperationException refused) {
            throw failure(type, refused);
        }
    }

    static Object callStatic(String type, String method) {
        try {
            return Class.forName(type).getMethod(method).invoke(null);
        } catch (ReflectiveOperationException refused) {
            throw failure(type + "." + method, refused);
        }
    }

    /** The object itself. */
    Object object() {
        return object;
    }

    Object call(String method, Object... arguments) {
        Method found = only(
                Arrays.stream(object.getClass().getMethods()),
                each -> each.getName().equals(method) && takes(each.getParameterTypes(), arguments));
        try {
            return found.invoke(object, arguments);
        } catch (ReflectiveOperationException refused) {
            throw failure(method, refused);
        }
    }

    /** Also calls a method that is not public. */
    Object callHidden(String method) {
        try {
            Method found = object.getClass().getDeclaredMethod(method);
            found.setAccessible(true);
            return found.invoke(object);
        } catch (ReflectiveOperationException refused) {
            throw failure(method, refused);
        }
    }

    void setField(String name, Object content) {
        try {
            object.getClass().getField(name).set(object, content);
        } catch (ReflectiveOperationException refused) {
            throw failure(name, refused);
        }
    }

    private static <T> T only(Stream<T> all, Predicate<T> wanted) {
        return all.filter(wanted)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no constructor or method takes these arguments"));
    }

    private static boolean takes(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isInstance(arguments[i]) && !(types[i] == int.class && arguments[i] instanceof Integer)) {
                return false;
            }
        }
        return true;
    }

    private static IllegalStateException failure(String what, ReflectiveOperationException refused) {
        Throwable cause = refused instanceof InvocationTargetException ? refused.getCause() : refused;
        return new IllegalStateException("calling " + what + " by reflection failed: " + cause, cause);
    }
}
