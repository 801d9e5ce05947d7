// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmh;

import io.threadclock.ThreadClock;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Makes sure that the library has the binding by which the result is named. */
@State(Scope.Benchmark)
public class LibraryBinding {
    @Setup
    public void check() {
        String actual = ThreadClock.binding().name();
        String wanted = System.getProperty("threadclock.binding", actual);
        if (!wanted.equalsIgnoreCase(actual)) {
            throw new IllegalStateException("Measuring the library by " + wanted + ": it is bound by " + actual + ". "
                    + ThreadClock.explanation());
        }
    }
}
