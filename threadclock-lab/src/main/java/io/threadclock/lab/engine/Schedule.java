// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import io.threadclock.lab.engine.program.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Rounds in which each contender has one slice, in an order that is drawn anew for each. */
final class Schedule {
    /** Any; that it is fixed makes two runs alike. */
    private static final long SEED = 8_210_452;

    private final Random random = new Random(SEED);

    List<Way> rounds(List<EngineContender> contenders, int count) {
        List<Way> ways = new ArrayList<>();
        List<EngineContender> round = new ArrayList<>(contenders);
        for (int i = 0; i < count; i++) {
            Collections.shuffle(round, random);
            round.forEach(contender -> ways.add(contender.way()));
        }
        return ways;
    }
}
