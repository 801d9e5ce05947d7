// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.ClockBinding;
import io.threadclock.ThreadClock;
import io.threadclock.harness.Jdk;
import java.util.List;

/** The Java library on the class path, as the contender that it is. */
final class Library {
    static final int OLDEST_WITH_FFM = 22;

    /** What a newer JDK finds in the jar, if it was built by one. */
    private static final String FFM_CLASS =
            "/META-INF/versions/" + OLDEST_WITH_FFM + "/io/threadclock/CallingThread.class";

    private Library() {}

    /** JNI first: the last one is that which a program gets. */
    static List<ClockBinding> bindingsOn(Jdk jdk) {
        return jdk.feature() >= OLDEST_WITH_FFM && hasFfm()
                ? List.of(ClockBinding.JNI, ClockBinding.FFM)
                : List.of(ClockBinding.JNI);
    }

    static ClockBinding usualBindingOn(Jdk jdk) {
        List<ClockBinding> bindings = bindingsOn(jdk);
        return bindings.get(bindings.size() - 1);
    }

    static boolean hasFfm() {
        return ThreadClock.class.getResource(FFM_CLASS) != null;
    }
}
