// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.view.Look;
import io.threadclock.cli.view.ProcessLook;
import io.threadclock.cli.view.ThreadLook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes usage of looks that follow one another. The first one has none: there is nothing before it. */
public final class Meter {
    private Map<Integer, ThreadUsage> last = Map.of();
    private Look lastLook;
    private Rate process = Rate.NONE;
    private ProcessLook lastProcess;

    public Sample take(Look look) {
        List<ThreadUsage> usages = new ArrayList<>(look.threads().size());
        Map<Integer, ThreadUsage> next = new HashMap<>();
        for (ThreadLook thread : look.threads()) {
            ThreadUsage usage = new ThreadUsage(thread, rate(thread));
            usages.add(usage);
            next.put(thread.tid(), usage);
        }
        updateProcess(look.process());
        long elapsedNs = lastLook == null ? 0 : look.takenNs() - lastLook.takenNs();
        double ownRatio = lastLook == null ? 0 : (double) (look.ownCpuNs() - lastLook.ownCpuNs()) / Math.max(1, elapsedNs);
        last = next;
        lastLook = look;
        return new Sample(look, elapsedNs, usages, process, ownRatio);
    }

    /** One that was not read again still has the usage that it had. */
    private Rate rate(ThreadLook now) {
        ThreadUsage before = last.get(now.tid());
        if (before == null || !before.thread().isSameThread(now)) {
            return lastLook == null ? Rate.NONE : sinceStart(now);
        }
        ThreadLook then = before.thread();
        return now.readNs() <= then.readNs()
                ? before.rate()
                : Rate.of(now.userNs() - then.userNs(), now.systemNs() - then.systemNs(), now.readNs() - then.readNs());
    }

    /** It has started since the last look, or was not listed then. */
    private Rate sinceStart(ThreadLook now) {
        long elapsedNs = Math.max(now.readNs() - lastLook.takenNs(), now.cpuNs());
        return Rate.of(now.userNs(), now.systemNs(), elapsedNs);
    }

    private void updateProcess(ProcessLook now) {
        if (lastProcess != null && now.readNs() > lastProcess.readNs()) {
            process = Rate.of(
                    now.userNs() - lastProcess.userNs(),
                    now.systemNs() - lastProcess.systemNs(),
                    now.readNs() - lastProcess.readNs());
        }
        if (lastProcess == null || now.readNs() > lastProcess.readNs()) {
            lastProcess = now;
        }
    }
}
