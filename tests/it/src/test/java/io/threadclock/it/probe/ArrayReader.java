// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.function.Function;

/** Reads one of the times of several threads by array; one of them is the thread that reads. */
final class ArrayReader {
    private final Function<long[], long[]> byIds;
    private final ReadingOrder[] orders;
    private final long[] ids;
    private final int self;
    private final long[] ownNs;
    private final long[] othersNs;

    /** {@code self}: the place of the reading thread. */
    ArrayReader(Function<long[], long[]> byIds, ReadingOrder[] orders, long[] ids, int self) {
        this.byIds = byIds;
        this.orders = orders;
        this.ids = ids;
        this.self = self;
        this.ownNs = new long[ids.length];
        this.othersNs = new long[ids.length];
    }

    void read() {
        for (int i = 0; i < ids.length; i++) {
            ownNs[i] = orders[i].readByItselfNs();
            othersNs[i] = orders[i].readByOthersNs();
        }
        long[] nowNs = byIds.apply(ids);
        for (int i = 0; i < ids.length; i++) {
            if (i == self) {
                orders[i].own(othersNs[i], nowNs[i]);
            } else {
                orders[i].others(ownNs[i], othersNs[i], nowNs[i]);
            }
        }
    }
}
