// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pools to which carriers book the time of virtual threads, by their names: {@code serve/virtual_pools.h} has the
 * sums. A thread belongs to the pool of the name that it has when it is first mounted.
 */
final class VirtualPools {
    /** Time of a carrier that belongs to no thread that is known. */
    static final int REST = 0;

    static final int UNNAMED = 1;
    static final int OTHERS = 255;

    /** Added to a pool if its thread is mounted for the first time. */
    static final int BEGINS = 1 << 8;

    /** Added if the thread that was mounted has ended. */
    static final int ENDS = 1 << 9;

    private final CarrierClock clock;
    private final ConcurrentHashMap<String, Integer> known = new ConcurrentHashMap<>();
    private volatile boolean isFull;

    /**
     * The {@linkplain PoolName#beginning beginning} of the last name, and its pool. Threads mostly come from one
     * factory, and to find their pool in the map would cost half as much as their clock. Two threads may set it at
     * once: either entry is true.
     */
    private Map.Entry<String, Integer> last = new SimpleImmutableEntry<>("", OTHERS);

    VirtualPools(CarrierClock clock) {
        this.clock = clock;
    }

    /** Returns the pool of a name. Once there are too many, new ones belong to {@link #OTHERS}. */
    int of(String threadName) {
        if (threadName == null || threadName.isEmpty()) {
            return UNNAMED;
        }
        Map.Entry<String, Integer> seen = last;
        if (isNumbered(threadName, seen.getKey())) {
            return seen.getValue();
        }
        String name = PoolName.of(threadName);
        Integer found = known.get(name);
        int pool = found != null ? found : isFull ? OTHERS : add(name);
        String beginning = PoolName.beginning(threadName);
        if (!beginning.isEmpty()) {
            last = new SimpleImmutableEntry<>(beginning, pool);
        }
        return pool;
    }

    /** Whether the name is that beginning and a number. */
    private static boolean isNumbered(String name, String beginning) {
        int begin = beginning.length();
        for (int i = name.length(); i > begin; i--) {
            if (!isDigit(name.charAt(i - 1))) {
                return false;
            }
        }
        return begin > 0 && name.length() > begin && name.startsWith(beginning);
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    private int add(String name) {
        int pool = clock.poolNamed(name);
        if (pool == OTHERS) {
            isFull = true;
        } else {
            known.put(name, pool);
        }
        return pool;
    }
}
