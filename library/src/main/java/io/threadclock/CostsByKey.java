// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Adds up who used the CPUs: the cost of each tenant, table or user for which an engine works.
 *
 * <pre>{@code
 * CostsByKey<String> tenants = new CostsByKey<>(100);
 * try (CpuAccount.Part part = tenants.enter(query.tenant())) { // in each thread that works for the query
 *     answer(query);
 * }
 * }</pre>
 *
 * <p>Each of the first keys has a {@link CpuAccount}, and keeps it; all later keys share one, the rest. A part is its
 * key's or the rest's as a whole, so all accounts together have exactly what was entered, and no figure goes back.
 * Parts of different keys may be nested, as those of accounts; two keys of the rest are the same one.
 *
 * <p>Thread-safe. Only the first part of a key takes a lock, while there are places. A part costs a look-up in a
 * {@link ConcurrentHashMap} more than an account's. Keys are kept, and have to be fit for a map.
 *
 * @param <K> of the keys
 * @since 0.1
 */
public final class CostsByKey<K> {
    private final Map<K, CpuAccount> accounts = new ConcurrentHashMap<>();
    private final CpuAccount rest = new CpuAccount();
    private final int mostKeys;

    /** Whether there is no place for another key. */
    private volatile boolean isFull;

    /**
     * Tells the first keys apart.
     *
     * @param mostKeys this many; if it is not positive, all is the rest
     */
    public CostsByKey(int mostKeys) {
        this.mostKeys = mostKeys;
        isFull = mostKeys <= 0;
    }

    /**
     * Begins a part in the calling thread, as {@link CpuAccount#enter()}.
     *
     * @param key not null; what its {@code hashCode()} or {@code equals()} throws is thrown, and nothing begins
     * @return to be closed by the same thread
     */
    public CpuAccount.Part enter(K key) {
        boolean wasFull = isFull; // before the look-up: then it finds each key that has a place
        CpuAccount known = accounts.get(key);
        return (known != null ? known : wasFull ? rest : placed(key)).enter();
    }

    private synchronized CpuAccount placed(K key) {
        if (!isFull) {
            accounts.computeIfAbsent(key, first -> new CpuAccount());
            isFull = accounts.size() >= mostKeys;
        }
        return accounts.getOrDefault(key, rest);
    }

    /** {@return what all parts have used so far, including those that run} Each account is read in turn. */
    public Snapshot<K> read() {
        Map<K, AccountUsage> keys = new IdentityHashMap<>(); // calls no method of the keys
        accounts.forEach((key, account) -> keys.put(key, account.read()));
        return new Snapshot<>(this, keys, rest.read());
    }

    /**
     * The usage up to one reading, or from one to another. Immutable.
     *
     * @param <K> of the keys
     */
    public static final class Snapshot<K> {
        /** Null: this is a difference. */
        private final CostsByKey<K> read;

        private final Map<K, AccountUsage> keys;
        private final AccountUsage rest;

        private Snapshot(CostsByKey<K> read, Map<K, AccountUsage> keys, AccountUsage rest) {
            this.read = read;
            this.keys = keys;
            this.rest = rest;
        }

        /** {@return the keys that have a place, and their usage; the greatest CPU time first} A copy. */
        public List<Map.Entry<K, AccountUsage>> keys() {
            List<Map.Entry<K, AccountUsage>> sorted = new ArrayList<>(keys.entrySet());
            sorted.sort(Comparator.comparingLong(key -> -key.getValue().cpuTimeNs()));
            return sorted;
        }

        /** {@return the usage of all other keys together} */
        public AccountUsage rest() {
            return rest;
        }

        /**
         * {@return what was used from an earlier reading to this one} Successive differences add up to the last
         * reading. What was not known of a part counts when it becomes known: waits may be of a time before, and a
         * number of unknown parts negative. A part counts where it begins, and a thread where its first part does.
         *
         * @param earlier a reading of the same costs
         * @throws IllegalArgumentException if one of the two is none
         */
        public Snapshot<K> since(Snapshot<K> earlier) {
            if (read == null || read != earlier.read) {
                throw new IllegalArgumentException("since() takes two results of read() of one CostsByKey");
            }
            Map<K, AccountUsage> used = new IdentityHashMap<>();
            keys.forEach((key, usage) -> used.put(key, usage.since(earlier.keys.get(key))));
            return new Snapshot<>(null, used, rest.since(earlier.rest));
        }
    }
}
