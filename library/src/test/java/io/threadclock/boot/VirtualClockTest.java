// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests virtual clocks on fake carriers, in all orders in which carriers, the thread and other threads can meet in one
 * of them.
 */
class VirtualClockTest {
    private static final int A = 1;
    private static final int B = 2;
    private static final int C = 3;
    private static final int BURNT = 5;

    private final Carried carried = new Carried(new FakeCarrierClock());

    private static final CarrierClock STOPPED = new FakeCarrierClock() {
        private final Carrier carrier = new Carrier(1, 0);

        @Override
        Carrier carrier() {
            return carrier;
        }

        @Override
        void read(Carrier by, int next) {}
    };

    @Test
    void isTheSumOfItsSegments() {
        carried.mount(A, () -> carried.clock.burn(BURNT));
        carried.clock.on(A, () -> carried.clock.burn(100)); // this is not the thread's time
        carried.mount(B, () -> carried.clock.burn(2 * BURNT));
        assertThat(carried.tell().cpuTimeNs())
                .as("ns, with the reading at the end of each segment")
                .isEqualTo(FakeCarrierClock.STEP_NS * (BURNT + 1 + 2 * BURNT + 1));
    }

    @Test
    void hasNoTimesBeforeTheFirstMount() {
        assertThat(carried.tell().cpuTimeNs()).isZero();
    }

    /** The old carrier is still on its way out of run() while the thread reads itself on another carrier. */
    @Test
    void endsTheSegmentOfACarrierThatIsStopped() {
        carried.mount(A, () -> {
            carried.clock.burn(BURNT);
            carried.mount(B, () -> {
                Times first = carried.read();
                assertThat(first.cpuTimeNs()).isGreaterThanOrEqualTo(FakeCarrierClock.STEP_NS * BURNT);
                carried.clock.on(A, () -> carried.clock.burn(100)); // on its way out, this time belongs to no thread
                assertThat(carried.read().cpuTimeNs() - first.cpuTimeNs())
                        .as("ns from one reading to the next")
                        .isEqualTo(FakeCarrierClock.STEP_NS);
            });
        });
        carried.assertLaws();
    }

    @Test
    void isRefusedWhereItsClockIs() {
        carried.clock.refuse(A);
        carried.mount(
                A,
                () -> carried.mount(
                        B, () -> assertThatThrownBy(carried::read).isInstanceOf(IllegalStateException.class)));
    }

    /** A scheduler runs a started thread at once, on the carrier of another virtual thread. */
    @Test
    void isLostWhereItsCarrierRunsAnotherThread() {
        Carried inner = new Carried(carried.clock);
        carried.mount(A, () -> inner.mount(A, () -> carried.clock.burn(BURNT)));
        assertThat(carried.virtual.tell(false).isLost()).as("is lost").isTrue();
        carried.mount(A, () -> assertThat(carried.virtual.isMounted()).isFalse());
        assertThat(inner.tell().cpuTimeNs()).isEqualTo(FakeCarrierClock.STEP_NS * (BURNT + 1));
    }

    /** The same scheduler when a thread yields: the next mount runs inside of the one that the thread has left. */
    @Test
    void goesOnWhereItsCarrierRunsItInsideOfItsLastMount() {
        carried.mount(A, () -> {
            carried.clock.burn(BURNT);
            carried.mount(A, () -> {
                carried.clock.burn(BURNT);
                carried.read();
            });
        });
        assertThat(carried.tell().cpuTimeNs()).isEqualTo(FakeCarrierClock.STEP_NS * (BURNT + 1 + BURNT + 2));
        carried.assertLaws();
    }

    @Test
    void runsTheThreadWithoutAClock() {
        List<String> ran = new ArrayList<>();
        VirtualClock virtual = virtualClock(() -> ran.add("mount"), new FakeCarrierClock() {
            @Override
            Carrier carrier() {
                throw new OutOfMemoryError("planted");
            }
        });
        virtual.run();
        virtual.run();
        assertThat(ran).hasSize(2);
        assertThat(virtual.tell(false).isLost()).as("is lost").isTrue();
        assertThat(virtual.isMounted()).isFalse();
    }

    /** With compressed references, which heaps below 32 GB have. */
    @Test
    void takesOneObjectOf64Bytes() {
        VirtualClock[] clocks = new VirtualClock[1000];
        makeAndMount(clocks); // the first mount makes the carrier's entry
        assertThat(makeAndMount(clocks) / clocks.length)
                .as("bytes of a virtual clock and two mounts")
                .isBetween(1L, 64L);
    }

    /** Returns the bytes that this has allocated. */
    private static long makeAndMount(VirtualClock[] clocks) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Runnable nothing = () -> {};
        long beforeBytes =
                threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < clocks.length; i++) {
            clocks[i] = new VirtualClock(nothing) {
                @Override
                CarrierClock clock() {
                    return STOPPED;
                }
            };
            clocks[i].run();
            clocks[i].run();
        }
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - beforeBytes;
    }

    private static VirtualClock virtualClock(Runnable original, CarrierClock clock) {
        return new VirtualClock(original) {
            @Override
            CarrierClock clock() {
                return clock;
            }
        };
    }

    /* ---- all orders of steps ---- */

    /** What can meet in a virtual clock, and more than so many orders in which it does. */
    enum Meeting {
        FIRST_CARRIER_ON_ITS_WAY_OUT(500, Orders::carrierThreadAndOther),
        TWO_OTHERS_AT_ONCE(500, Orders::carrierAndTwoOthers),
        TWO_CARRIERS_ON_THEIR_WAY_OUT(400, Orders::twoCarriersAndThread),
        /** The segment is used again while others are reading it. */
        OTHER_WHILE_IT_IS_MOUNTED_AGAIN(100, Orders::nextMountsAndOther),
        TWO_OTHERS_WHILE_IT_IS_MOUNTED_AGAIN(1_000, Orders::nextMountAndTwoOthers);

        private final int orders;
        private final Function<Orders, Interleavings.Scenario> scenario;

        Meeting(int orders, Function<Orders, Interleavings.Scenario> scenario) {
            this.orders = orders;
            this.scenario = scenario;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isOneSequence(Meeting meeting) throws InterruptedException {
        assertThat(explore(0, meeting.scenario)).as("orders").isGreaterThan(meeting.orders);
    }

    @Tag("long")
    @Test
    void isOneSequenceToOthersWhileTwoCarriersAreOnTheirWayOut() throws InterruptedException {
        assertThat(explore(0, Orders::twoCarriersAndOther)).as("orders").isGreaterThan(10_000);
    }

    @Test
    void needsNoNewSegmentAfterTheEndOfTheLastOne() {
        carried.mount(A, () -> {});
        Segment first = carried.virtual.current();
        carried.mount(B, () -> carried.clock.burn(BURNT));
        assertThat(carried.virtual.current()).isSameAs(first);
        assertThat(carried.tell().cpuTimeNs()).isEqualTo(FakeCarrierClock.STEP_NS * (1 + BURNT + 1));
    }

    /** The search finds a planted fault. */
    @Test
    void isFoundToGoBackWhereOthersReadTooMuch() {
        assertThatThrownBy(() -> explore(3 * FakeCarrierClock.STEP_NS, Orders::carrierThreadAndOther))
                .isInstanceOf(AssertionError.class);
    }

    private static int explore(long aheadNs, Function<Orders, Interleavings.Scenario> scenario)
            throws InterruptedException {
        return Interleavings.explore(() -> scenario.apply(new Orders(new Carried(new FakeCarrierClock(aheadNs)))));
    }

    /** The actors that meet in a virtual clock. The thread leaves carrier A before anything else begins. */
    private static final class Orders {
        private final Carried carried;
        private final Runnable readTwice;
        private final Runnable tellTwice;
        private volatile boolean hasLeftA;
        private volatile boolean hasLeftB;

        Orders(Carried carried) {
            this.carried = carried;
            readTwice = twice(carried::read);
            tellTwice = twice(carried::tell);
        }

        Interleavings.Scenario carrierThreadAndOther() {
            return of(leavesA(), afterA(() -> carried.mount(B, readTwice)), afterA(carried::tell));
        }

        Interleavings.Scenario carrierAndTwoOthers() {
            return of(leavesA(), afterA(tellTwice), afterA(carried::tell));
        }

        Interleavings.Scenario twoCarriersAndThread() {
            return of(leavesA(), leavesB(), afterB(() -> carried.mount(C, readTwice)));
        }

        Interleavings.Scenario twoCarriersAndOther() {
            return of(leavesA(), leavesB(), afterB(() -> carried.mount(C, () -> {})), afterB(carried::tell));
        }

        Interleavings.Scenario nextMountsAndOther() {
            Runnable mounts = () -> {
                mountTwice();
                carried.mount(A, readTwice);
            };
            return of(atOnce(mounts), atOnce(tellTwice));
        }

        Interleavings.Scenario nextMountAndTwoOthers() {
            return of(atOnce(this::mountTwice), atOnce(carried::tell), atOnce(carried::tell));
        }

        private void mountTwice() {
            carried.mount(A, () -> carried.clock.burn(BURNT));
            carried.mount(B, carried::read);
        }

        private Interleavings.Actor leavesA() {
            return atOnce(() -> carried.mount(A, () -> {
                carried.clock.burn(BURNT);
                hasLeftA = true;
            }));
        }

        private Interleavings.Actor leavesB() {
            return afterA(() -> carried.mount(B, () -> hasLeftB = true));
        }

        private static Interleavings.Actor atOnce(Runnable work) {
            return new Interleavings.Actor(() -> true, work);
        }

        private Interleavings.Actor afterA(Runnable work) {
            return new Interleavings.Actor(() -> hasLeftA, work);
        }

        private Interleavings.Actor afterB(Runnable work) {
            return new Interleavings.Actor(() -> hasLeftB, work);
        }

        private static Runnable twice(Runnable reading) {
            return () -> {
                reading.run();
                Interleavings.point();
                reading.run();
            };
        }

        private Interleavings.Scenario of(Interleavings.Actor... actors) {
            return new Interleavings.Scenario(List.of(actors), () -> {
                carried.tell();
                carried.assertLaws();
            });
        }
    }

    /** A virtual thread, and all readings of it. */
    private static final class Carried {
        private final FakeCarrierClock clock;
        private final List<Telling> tellings = new ArrayList<>();
        private final ThreadLocal<Runnable> inThread = new ThreadLocal<>();
        private final VirtualClock virtual;
        private int moment;

        Carried(FakeCarrierClock clock) {
            this.clock = clock;
            this.virtual = virtualClock(() -> inThread.get().run(), clock);
        }

        /** The thread does this work on that carrier, which the calling thread plays meanwhile. */
        void mount(int tid, Runnable work) {
            Runnable outer = inThread.get();
            inThread.set(work);
            clock.on(tid, virtual);
            inThread.set(outer);
        }

        Times read() {
            int began = next();
            long[] timesNs = new long[3];
            assertThat(virtual.read(timesNs)).as("error").isZero();
            return note(began, new Times(timesNs[0], timesNs[1]));
        }

        Times tell() {
            int began = next();
            Total total = virtual.tell(false);
            assertThat(total.isLost()).as("is lost").isFalse();
            return note(began, new Times(total.cpuNs, total.userNs));
        }

        private synchronized int next() {
            return moment++;
        }

        private synchronized Times note(int began, Times times) {
            tellings.add(new Telling(began, moment++, times));
            return times;
        }

        void assertLaws() {
            for (Telling earlier : tellings) {
                for (Telling later : tellings) {
                    if (earlier.ended < later.began) {
                        later.assertFollows(earlier);
                    }
                }
            }
        }
    }

    private record Times(long cpuTimeNs, long userTimeNs) {}

    private record Telling(int began, int ended, Times times) {
        void assertFollows(Telling earlier) {
            long cpuNs = times.cpuTimeNs() - earlier.times.cpuTimeNs();
            long userNs = times.userTimeNs() - earlier.times.userTimeNs();
            assertThat(0 <= userNs && userNs <= cpuNs)
                    .as("0 <= user time <= CPU time between %s and %s", earlier, this)
                    .isTrue();
        }
    }
}
