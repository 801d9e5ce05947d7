// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.threadclock.cli.attach.SourceNames;
import java.util.ArrayList;
import java.util.List;

/**
 * The source that the agent will use in a JVM, as far as that can be told from outside: by the trials in this process,
 * and by how the other one differs from it. Only a trial in that process shows what its seccomp filter allows.
 *
 * @param sources one source; or several, of which the agent uses the first that the filter allows
 */
record ExpectedSource(@JsonProperty List<String> sources) {
    private enum Chance {
        YES,
        MAYBE,
        NO
    }

    /** @param hasLibcRseq whether its libc registers rseq areas, as far as that can be told */
    static ExpectedSource of(
            MachineFacts machine, Examination examined, ProcessLimits own, ProcessLimits its, boolean hasLibcRseq) {
        if (examined.counter() != Reason.SOUND) {
            return new ExpectedSource(List.of(SourceNames.CLOCK));
        }
        List<String> sources = new ArrayList<>();
        Chance chance = rseq(examined.source(SourceNames.RSEQ).reason(), own, its);
        add(sources, SourceNames.RSEQ, chance);
        if (chance != Chance.YES) {
            chance = perf(examined.source(SourceNames.PERF).reason(), machine, own, its);
            add(sources, SourceNames.PERF, chance);
        }
        if (chance != Chance.YES) {
            chance = ids(examined.source(SourceNames.IDS).reason(), its, hasLibcRseq);
            add(sources, SourceNames.IDS, chance);
        }
        add(sources, SourceNames.CLOCK, chance == Chance.YES ? Chance.NO : Chance.YES);
        return new ExpectedSource(List.copyOf(sources));
    }

    private static void add(List<String> sources, String source, Chance chance) {
        if (chance != Chance.NO) {
            sources.add(source);
        }
    }

    /** Only a refusal by a filter is limited to one process; any other is true of the whole machine. */
    private static Chance rseq(Reason here, ProcessLimits own, ProcessLimits its) {
        if (here != Reason.SOUND && !(here == Reason.RSEQ_REFUSED && own.isFiltered())) {
            return Chance.NO;
        }
        return its.isFiltered() ? Chance.MAYBE : Chance.YES;
    }

    private static Chance perf(Reason here, MachineFacts machine, ProcessLimits own, ProcessLimits its) {
        boolean isRefusedByKernel = here == Reason.PERF_REFUSED && own.mayUsePerf(machine) && !own.isFiltered();
        boolean isPossible = here == Reason.SOUND || here == Reason.PERF_REFUSED || here == Reason.PERF_MEMORY;
        if (!isPossible || isRefusedByKernel || !its.mayUsePerf(machine)) {
            return Chance.NO;
        }
        return its.isFiltered() || here == Reason.PERF_MEMORY ? Chance.MAYBE : Chance.YES;
    }

    private static Chance ids(Reason here, ProcessLimits its, boolean hasLibcRseq) {
        if (hasLibcRseq || (here != Reason.SOUND && here != Reason.LIBC_AREA)) {
            return Chance.NO;
        }
        return its.isFiltered() ? Chance.MAYBE : Chance.YES;
    }

    String first() {
        return sources.get(0);
    }

    boolean isCertain() {
        return sources.size() == 1;
    }
}
