// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjDoubleConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A recording, divided into slots of time, as many as a page can show. A sample's times are spread evenly over the time
 * since the sample before, so that a slot's share does not depend on which side of its edge a sample fell. Of a long
 * time in which nobody recorded, most is left out, so that the slots are for what was recorded.
 */
final class Timeline {
    /**
     * At most this many threads are shown one by one, those that cost most; the others by pool. This is also the most
     * pools of them, and the most pools of virtual threads; the rest of each JVM is one.
     */
    static final int MOST_SHOWN = 300;

    private static final Pattern PAGE_TIME = Pattern.compile(
            "(?<date>\\d{4}-\\d\\d-\\d\\d)(?: (?<time>\\d[\\d:.]*))? ?(?<zone>UTC|[+-]\\d\\d:\\d\\d)?(?<length>;\\d{1,9}[Tsmh])?");

    private static final String VIRTUAL = "virtual";
    /** In place of a pool's number. */
    private static final long OTHERS = -1;

    private static final String OTHER_NAMES = "(other names)";
    private static final int MOST_SLOTS = 1500;
    private static final double NS_PER_US = 1000;
    /** A time in which nobody recorded takes at most a twentieth of the recorded time. */
    private static final int GAP_PART = 20;

    /** All such times together take at most a quarter of the recorded time, beside a slot for each. */
    private static final int GAPS_PART = 4;

    private static final long[] SLOT_MS = {
        10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
        1_800_000, 3_600_000
    };

    /** @param key of a thread, or the number of a pool of virtual threads */
    private record Id(String jvm, long key) {}

    private final RecordingReader reading;
    private final String window;
    private long beginUs = Long.MAX_VALUE;
    private long endUs = Long.MIN_VALUE;
    private long slotUs;
    private int pools;
    private boolean knowsWaits;
    private final Map<String, Map<Long, Long>> elapsed = new HashMap<>();
    private final Map<Id, Sample.ThreadName> names = new HashMap<>();
    private final Map<String, CostSeries> series = new LinkedHashMap<>();
    private final Map<String, CostSeries> processes = new LinkedHashMap<>();
    private final Map<Id, CostSeries> virtualPools = new LinkedHashMap<>();
    private final Map<String, CostSeries> rests = new LinkedHashMap<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final List<Throttling> throttling = new ArrayList<>();
    private final Map<String, JvmName> jvms = new LinkedHashMap<>();
    private final Map<String, Integer> threadsAtOnce = new HashMap<>();
    /** The moments at which time goes on behind what is left out, and how many µs of slots are before each. */
    private final TreeMap<Long, Long> stretches = new TreeMap<>();

    /** @param window a time as the page shows it; empty: all */
    Timeline(RecordingReader reading, String window) {
        this.reading = reading;
        this.window = window.isEmpty() ? "" : " where timestamp in '" + inQuestDb(window) + "'";
        readTimes();
        if (beginUs < endUs) {
            readNames();
            readProcesses();
            readThreads();
            readVirtualPools();
            readGaps();
            readThrottling();
        }
    }

    /** QuestDB has a T before the time, and takes a zone behind an @ alone unless the time is complete. */
    private static String inQuestDb(String window) {
        Matcher page = PAGE_TIME.matcher(window);
        if (!page.matches()) {
            throw new StoreFailure(
                    "making a report of " + window,
                    "this is no time",
                    "Name one by --in, as in 2026-11-21, '2026-11-21 20:15' or '2026-11-21 20:15:00 +01:00;10m'.");
        }
        String time = page.group("time") == null ? "" : "T" + page.group("time");
        String zone = page.group("zone") == null ? "" : "@" + page.group("zone");
        return page.group("date") + time + zone + Objects.toString(page.group("length"), "");
    }

    private void readTimes() {
        List<Long> lengths = new ArrayList<>();
        reading.each("select timestamp, jvm, host, program, pid, elapsed_us, threads from processes" + window, row -> {
            long us = row.timestampUs(0);
            String jvm = row.symbol(1);
            jvms.computeIfAbsent(jvm, key -> new JvmName(row.symbol(2), row.symbol(3), row.small(4), 0));
            elapsed.computeIfAbsent(jvm, key -> new HashMap<>()).put(us, row.number(5));
            threadsAtOnce.merge(jvm, row.small(6), Math::max);
            if (row.number(5) > 0) {
                lengths.add(row.number(5));
                beginUs = Math.min(beginUs, us - row.number(5));
                endUs = Math.max(endUs, us);
            }
        });
        lengths.sort(null);
        if (!lengths.isEmpty()) {
            chooseSlots(lengths.get(lengths.size() / 2), unrecorded());
        }
    }

    /** A slot is shorter than the usual time between samples by a fifth at most. */
    private void chooseSlots(long usualUs, TreeMap<Long, Long> unrecorded) {
        for (long ms : SLOT_MS) {
            slotUs = ms * 1000;
            leaveOut(unrecorded);
            if (slotUs * 1.25 >= usualUs && slots() <= MOST_SLOTS) {
                return;
            }
        }
        slotUs = Math.max((endUs - beginUs) / MOST_SLOTS, 1);
        leaveOut(new TreeMap<>());
    }

    /** The times in which no JVM was recorded, by their beginnings, with their ends. */
    private TreeMap<Long, Long> unrecorded() {
        TreeMap<Long, Long> recorded = new TreeMap<>();
        elapsed.values()
                .forEach(of -> of.forEach((us, elapsedUs) -> {
                    if (elapsedUs > 0) {
                        recorded.merge(us - elapsedUs, us, Math::max);
                    }
                }));
        TreeMap<Long, Long> unrecorded = new TreeMap<>();
        long[] knownUs = {beginUs};
        recorded.forEach((fromUs, toUs) -> {
            if (fromUs > knownUs[0]) {
                unrecorded.put(knownUs[0], fromUs);
            }
            knownUs[0] = Math.max(knownUs[0], toUs);
        });
        return unrecorded;
    }

    /** Leaves out whole slots, so that all of them begin as if none were. */
    private void leaveOut(TreeMap<Long, Long> unrecorded) {
        stretches.clear();
        stretches.put(beginUs, 0L);
        List<Map.Entry<Long, Long>> gaps = unrecorded.entrySet().stream()
                .filter(gap -> gap.getValue() - gap.getKey() > slotUs)
                .toList();
        long gapsUs =
                gaps.stream().mapToLong(gap -> gap.getValue() - gap.getKey()).sum();
        long mostUs = (endUs - beginUs - gapsUs) / Math.max(GAP_PART, GAPS_PART * gaps.size());
        for (Map.Entry<Long, Long> gap : gaps) {
            long place = (place(gap.getKey()) + slotUs - 1) / slotUs * slotUs;
            Map.Entry<Long, Long> last = stretches.lastEntry();
            long fromUs = last.getKey() + place - last.getValue();
            long slotsLeftOut = (gap.getValue() - fromUs - Math.max(mostUs, slotUs)) / slotUs;
            if (slotsLeftOut > 0) {
                stretches.put(fromUs + slotsLeftOut * slotUs, place);
            }
        }
    }

    /** The µs of slots before this time, which is not left out. */
    private long place(long us) {
        Map.Entry<Long, Long> stretch = stretch(us);
        return stretch.getValue() + us - stretch.getKey();
    }

    private Map.Entry<Long, Long> stretch(long us) {
        Map.Entry<Long, Long> stretch = stretches.lowerEntry(us);
        return stretch == null ? stretches.firstEntry() : stretch;
    }

    /** The last name is used for the time before it was known, too. */
    private void readNames() {
        reading.each(
                "select jvm, thread, tid, java_id, name, pool, kind from threads",
                row -> names.put(
                        new Id(row.symbol(0), row.number(1)),
                        new Sample.ThreadName(
                                row.number(1), row.small(2), row.number(3), row.text(4), row.text(5), row.symbol(6))));
    }

    private void readProcesses() {
        reading.each("select timestamp, jvm, user_ns, system_ns, whole_us from processes" + window, row -> {
            CostSeries whole = processes.computeIfAbsent(
                    row.symbol(1),
                    jvm -> new CostSeries(
                            jvm, jvms.get(jvm).program(), jvms.get(jvm).program(), "process", 0));
            spread(whole, row.timestampUs(0), row.number(4), row.number(2), row.number(3), 0);
        });
    }

    private void readThreads() {
        Set<Id> shown = costliest("samples", "thread", MOST_SHOWN);
        Map<Id, CostSeries> known = new HashMap<>();
        String columns = "timestamp, jvm, thread, user_ns, system_ns, elapsed_us, waiting_ns";
        reading.each("select " + columns + " from samples" + window, row -> {
            Id id = new Id(row.symbol(1), row.number(2));
            // An incomplete sample has no row of the process.
            if (elapsed.getOrDefault(id.jvm, Map.of()).containsKey(row.timestampUs(0))) {
                CostSeries one = known.computeIfAbsent(id, first -> {
                    CostSeries its = seriesOf(first, shown.contains(first));
                    its.threads().incrementAndGet();
                    return its;
                });
                spread(one, row.timestampUs(0), row.small(5), row.number(3), row.number(4), 0);
                Sample.ThreadTimes times =
                        new Sample.ThreadTimes(id.key, row.small(5), row.number(3), row.number(4), row.number(6));
                spreadWaiting(one, row.timestampUs(0), times);
                if (processes.containsKey(id.jvm)) {
                    spreadWaiting(processes.get(id.jvm), row.timestampUs(0), times);
                }
            }
        });
    }

    /**
     * A wait is told when it ends, and may have begun before the sample. The wait that ends now and the CPU time lie
     * one after the other.
     */
    private void spreadWaiting(CostSeries one, long endOfSampleUs, Sample.ThreadTimes times) {
        double toUs = place(endOfSampleUs);
        if (times.waitingNs() == Sample.ThreadTimes.UNKNOWN) {
            one.untoldWaits().set((int) ((toUs - 1) / slotUs));
            return;
        }
        knowsWaits = true;
        if (times.waitingNs() > 0) {
            double lastedUs = (times.userNs() + times.systemNs() + times.waitingNs()) / NS_PER_US;
            double elapsedUs = Math.max(times.elapsedUs(), lastedUs);
            eachSlot(endOfSampleUs, elapsedUs, (slot, part) -> one.waits()
                    .merge(slot, times.waitingNs() * part, Double::sum));
        }
    }

    /** Only the number of a pool's threads at each moment is known; the largest one is kept. */
    private void readVirtualPools() {
        Set<Id> shown = costliest("virtual_pools", "number::long", MOST_SHOWN);
        Map<Id, Integer> most = new HashMap<>();
        String columns = "timestamp, jvm, number, pool, threads, mounts, user_ns, system_ns";
        reading.each("select " + columns + " from virtual_pools" + window, row -> {
            Id id = new Id(row.symbol(1), row.small(2));
            Long elapsedUs = elapsed.getOrDefault(id.jvm, Map.of()).get(row.timestampUs(0));
            if (elapsedUs != null) {
                CostSeries one = virtualSeriesOf(id, row.text(3), shown.contains(id));
                int known = most.getOrDefault(id, 0);
                one.threads().addAndGet(most.merge(id, row.small(4), Math::max) - known);
                spread(one, row.timestampUs(0), elapsedUs, row.number(6), row.number(7), row.number(5));
            }
        });
    }

    private CostSeries virtualSeriesOf(Id id, String name, boolean isShown) {
        if (id.key == Sample.PoolTimes.REST) {
            return rests.computeIfAbsent(id.jvm, jvm -> new CostSeries(jvm, name, name, VIRTUAL, 0));
        }
        Id shown = isShown ? id : new Id(id.jvm, OTHERS);
        String its = isShown ? name : OTHER_NAMES;
        return virtualPools.computeIfAbsent(shown, first -> new CostSeries(id.jvm, its, its, VIRTUAL, 0));
    }

    private Set<Id> costliest(String table, String key, int most) {
        record Cost(Id id, long ns) {}
        List<Cost> costs = new ArrayList<>();
        reading.each(
                "select jvm, " + key + ", sum(user_ns) + sum(system_ns) from " + table + window + " group by 1, 2",
                row -> costs.add(new Cost(new Id(row.symbol(0), row.number(1)), row.number(2))));
        costs.sort(Comparator.comparingLong(Cost::ns).reversed());
        Set<Id> shown = new HashSet<>();
        costs.stream().limit(most).forEach(cost -> shown.add(cost.id));
        return shown;
    }

    private CostSeries seriesOf(Id id, boolean isShown) {
        Sample.ThreadName name = names.getOrDefault(id, new Sample.ThreadName(id.key, 0, 0, "?", "?", "native"));
        if (isShown) {
            return series.computeIfAbsent(
                    id.jvm + " " + id.key,
                    key -> new CostSeries(id.jvm, name.name(), name.pool(), name.kind(), name.tid()));
        }
        String key = id.jvm + " " + name.pool() + "/" + name.kind();
        if (series.containsKey(key)) {
            return series.get(key);
        }
        boolean isRest = ++pools > MOST_SHOWN;
        String pool = isRest ? "(others)" : name.pool();
        String kind = isRest ? "" : name.kind();
        return series.computeIfAbsent(isRest ? id.jvm + " " : key, its -> new CostSeries(id.jvm, pool, pool, kind, 0));
    }

    private void spread(CostSeries one, long endOfSampleUs, long elapsedUs, long userNs, long systemNs, long mounts) {
        if (elapsedUs <= 0 || userNs + systemNs + mounts == 0) {
            return;
        }
        eachSlot(
                endOfSampleUs, elapsedUs, (slot, part) -> one.add(slot, userNs * part, systemNs * part, mounts * part));
    }

    /** The slots of the time that ends there, each with the part of that time that lies in it. */
    private void eachSlot(long endUs, double elapsedUs, ObjDoubleConsumer<Integer> action) {
        double toUs = place(endUs);
        double fromUs = Math.max(stretch(endUs).getValue(), toUs - elapsedUs);
        for (int slot = (int) (fromUs / slotUs); (double) slot * slotUs < toUs; slot++) {
            double part =
                    (Math.min(toUs, (slot + 1.0) * slotUs) - Math.max(fromUs, (double) slot * slotUs)) / elapsedUs;
            action.accept(slot, part);
        }
    }

    private void readGaps() {
        reading.each(
                "select timestamp, jvm, until, reason, lost_samples from gaps" + window,
                row -> gaps.add(new Gap(
                        jvms.getOrDefault(row.symbol(1), new JvmName("", row.symbol(1), 0, 0)),
                        row.timestampUs(0),
                        row.timestampUs(2),
                        Gap.Reason.valueOf(row.symbol(3).toUpperCase(Locale.ROOT)),
                        row.number(4))));
    }

    private void readThrottling() {
        String columns = "timestamp, jvm, until, quota_milli_cpus, periods, throttled_periods, throttled_ns";
        reading.each("select " + columns + " from throttling" + window, row -> {
            JvmName jvm = jvms.get(row.symbol(1));
            if (jvm != null) {
                throttling.add(new Throttling(
                        jvm,
                        row.timestampUs(0),
                        row.timestampUs(2),
                        row.small(3),
                        row.number(4),
                        row.number(5),
                        row.number(6)));
            }
        });
    }

    boolean isEmpty() {
        return beginUs >= endUs;
    }

    long beginUs() {
        return beginUs;
    }

    long endUs() {
        return endUs;
    }

    long slotUs() {
        return slotUs;
    }

    int slots() {
        return (int) ((place(endUs) + slotUs - 1) / slotUs);
    }

    /** For the first slot, and for each before which time was left out: the µs since 1970 at which it begins. */
    Map<Integer, Long> stretches() {
        Map<Integer, Long> begins = new TreeMap<>();
        stretches.forEach((us, place) -> begins.put((int) (place / slotUs), us));
        return begins;
    }

    Map<String, JvmName> jvms() {
        return jvms;
    }

    ThreadCount threadsOf(String jvm) {
        int used = series.values().stream()
                .filter(one -> one.jvm().equals(jvm))
                .mapToInt(one -> one.threads().get())
                .sum();
        return new ThreadCount(threadsAtOnce.get(jvm), used);
    }

    Collection<CostSeries> threads() {
        return series.values();
    }

    Collection<CostSeries> processes() {
        return processes.values();
    }

    /** Pools of virtual threads, whose time is a part of their carriers'. */
    Collection<CostSeries> virtualPools() {
        return virtualPools.values();
    }

    /** The part of the carriers' time that is of no pool, at most one of each JVM. */
    Collection<CostSeries> rests() {
        return rests.values();
    }

    /** Whether it is known of any thread for how long it has waited for CPUs. */
    boolean hasWaiting() {
        return knowsWaits;
    }

    List<Gap> gaps() {
        return gaps;
    }

    List<Throttling> throttling() {
        return throttling;
    }

    /** The slots for which there are samples. */
    BitSet covered(String jvm) {
        BitSet covered = new BitSet();
        elapsed.get(jvm).forEach((us, elapsedUs) -> {
            if (elapsedUs > 0) {
                covered.set((int) (place(us - elapsedUs) / slotUs), (int) ((place(us) + slotUs - 1) / slotUs));
            }
        });
        return covered;
    }

    /** How many samples there are, of all JVMs. */
    long samples() {
        return elapsed.values().stream().mapToLong(Map::size).sum();
    }
}
