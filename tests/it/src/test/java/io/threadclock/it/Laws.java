// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ReadingsIT;

/** Programs that keep the laws of any pair of readings: never negative, never decreasing, user time within CPU time. */
final class Laws {
    private Laws() {}

    /** Four threads read so many pairs each. */
    static Program of(Jdk jdk, int pairs) {
        return readings(jdk, pairs, "keepTheirLaws");
    }

    /** The same readings, which are not judged: those of some sources keep no laws. */
    static Program unjudged(Jdk jdk, int pairs) {
        return readings(jdk, pairs, "areTaken");
    }

    private static Program readings(Jdk jdk, int pairs, String test) {
        return Program.law(jdk, ReadingsIT.class, test).jvmOption("-Dthreadclock.it.pairs=" + pairs);
    }
}
