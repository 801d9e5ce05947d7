// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import java.util.List;

/**
 * How much of the long tests is done on one JDK. By default the newest and the oldest do all of it and the others a
 * part, because a run has seven JDKs; with {@code -Dthreadclock.thorough} each does all.
 */
final class Thoroughness {
    private static final boolean THOROUGH = System.getProperty("threadclock.thorough") != null;

    private Thoroughness() {}

    static String of(Jdk jdk, int all, int part) {
        return Integer.toString(THOROUGH || isOldestOrNewest(jdk) ? all : part);
    }

    private static boolean isOldestOrNewest(Jdk jdk) {
        List<Jdk> all = JdksUnderTest.all().toList();
        return jdk.equals(all.get(0)) || jdk.equals(all.get(all.size() - 1));
    }
}
