// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.bench.Judge.Law;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What makes a soak fail: one wrong reading for each law, and growth; and what does not. */
class JudgeTest {
    private static final long MS = 1_000_000;

    private final Judge judge = new Judge();
    private long[] counted = new long[Law.values().length];

    @Test
    void readingsAreHeldAgainstTheKernelsAndExcusedForWhatWasStolen() {
        Judge.Witness witness = judge.new Witness();
        witness.judge(look(0, 0, 0), 50, look(100, 100, 0));
        witness.judge(look(MS, 2 * MS, 0), 2 * MS + Judge.ABOVE_NS, look(MS, 2 * MS, 0));
        witness.judge(look(MS, 2 * MS, 0), 2 * MS + Judge.JUMP_NS, look(MS, 2 * MS, 1));
        finds();
        witness.judge(look(3 * MS, 4 * MS, 1), 3 * MS - Judge.BELOW_NS - 1, look(3 * MS, 4 * MS, 1));
        finds(Law.BELOW_KERNEL);
        judge.new Witness().judge(look(MS, MS, 0), MS + Judge.ABOVE_NS + 1, look(MS, MS, 0));
        finds(Law.ABOVE_KERNEL);
        judge.new Witness().judge(look(MS, MS, 0), MS + Judge.JUMP_NS + 1, look(MS, MS, 1));
        finds(Law.MISSED_SWITCH);
        witness.judge(look(9 * MS, 9 * MS, 2), 9 * MS + Judge.ABOVE_NS + 1, look(9 * MS, 9 * MS, 2));
        finds(Law.MISSED_SWITCH);
    }

    @Test
    void readingsAreInOrderAndSums() {
        Judge.Sequence sequence = judge.new Sequence();
        Judge.Seen seen = judge.new Seen();
        sequence.next("one", 100, 60, 40);
        sequence.next("one", 200, 120, 80);
        seen.show(seen.floor(), 100, 50, "one");
        finds();
        sequence.next("one", 300, 180, 121);
        finds(Law.NO_SUM);
        sequence.next("one", 310, 191, 119);
        finds(Law.USER_ABOVE_CPU);
        sequence.next("one", 191, 309);
        finds(Law.BACKWARDS);
        sequence.next("one", 401, 400);
        finds(Law.USER_ABOVE_CPU);
        judge.new Sequence().next("one", -1, 0);
        finds(Law.BACKWARDS, Law.WRONG_ANSWER);
        seen.show(seen.floor(), 100, 49, "another");
        finds(Law.OTHERS_DISAGREE);
    }

    @Test
    void whatVariesDoesNotGrow() {
        List<Long> grows = List.of(0L, 0L, 0L, 0L, 0L, 0L, 10L, 11L, 50L, 50L, 14L, 15L);
        List<Long> varies = List.of(1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L);
        List<Long> leaksSlowly =
                LongStream.range(0, 100).map(i -> i / 10).boxed().toList();
        assertThat(Soak.growth(grows, 2)).isEqualTo(3);
        assertThat(Soak.growth(grows, 3)).as("slack").isZero();
        assertThat(Soak.growth(varies, 0)).isZero();
        assertThat(Soak.growth(leaksSlowly, 0)).isPositive();
        assertThat(Soak.growth(List.of(1L, 2L, 3L), 0)).as("too few").isZero();
    }

    private static BareClocks.Look look(long cpuNs, long wallNs, long switches) {
        return new BareClocks.Look(cpuNs, wallNs, wallNs, switches);
    }

    /** These laws have been broken since it was called last, in this order, and no other. */
    private void finds(Law... laws) {
        long[] before = counted;
        Stream<String> counts = Stream.of(judge.counts().split(" ")).skip(2);
        counted = counts.mapToLong(Long::parseLong).toArray();
        Stream<Law> found = Stream.of(Law.values()).filter(law -> counted[law.ordinal()] > before[law.ordinal()]);
        assertThat(found).containsExactly(laws);
    }
}
