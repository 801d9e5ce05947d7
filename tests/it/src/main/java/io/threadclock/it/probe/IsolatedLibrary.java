// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import java.net.URL;
import java.net.URLClassLoader;

/** The library in a class loader that asks no other for classes of that name, as those of OSGi do. */
class IsolatedLibrary extends URLClassLoader {
    IsolatedLibrary() {
        super(new URL[] {ThreadClock.class.getProtectionDomain().getCodeSource().getLocation()});
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.threadclock.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    /** Calls a static method without parameters. */
    final Object call(Class<?> type, String method) {
        return call(type, method, new Class<?>[0]);
    }

    /** Calls a static method. */
    final Object call(Class<?> type, String method, Class<?>[] parameters, Object... arguments) {
        try {
            return loadClass(type.getName()).getMethod(method, parameters).invoke(null, arguments);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException(method + " of a copy: " + refused.getCause(), refused);
        }
    }
}
