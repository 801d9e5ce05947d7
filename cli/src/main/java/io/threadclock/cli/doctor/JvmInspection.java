// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.attach.SourceNames;
import io.threadclock.cli.attach.StatusPages;
import io.threadclock.cli.process.JvmFlags;
import io.threadclock.cli.process.JvmtiPrice;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.MemoryMap.MappedFile;
import io.threadclock.cli.process.ProcessFiles;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Looks at a JVM from outside: it sends nothing to the JVM, and loads nothing into it. */
public record JvmInspection(Target target) {
    private static final long WATCH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String NO_RSEQ = "glibc.pthread.rseq=0";
    /** In lib/server, and in lib/amd64/server of JDK 8. */
    private static final Pattern BELOW_HOME = Pattern.compile("/lib(?:/[^/]+)?/[^/]+/libjvm\\.so$");

    /** @param source asked for last: in use in it, as its agent says; empty: not known */
    public JvmFacts facts(MachineFacts machine, Examination examined, Supplier<Optional<String>> source) {
        List<MappedFile> loaded = target.code(LibraryFile::isNamed);
        JvmWaits waits = waits();
        VirtualThreadFacts virtualThreads = VirtualThreadFacts.of(target);
        int feature = virtualThreads.feature();
        ProcessLimits confines = ProcessLimits.of(KernelFiles.SYSTEM, target.files());
        return new JvmFacts(
                target.pid(),
                home(),
                target.files().threadNames().size(),
                loaded.isEmpty() ? null : loaded.get(0).path(),
                isFromStart(),
                JvmtiPrice.of(target).isFree(),
                StatusPages.isInUse(target).orElse(null),
                virtualThreads,
                noAttaching(),
                ExpectedSource.of(
                        machine,
                        examined,
                        ProcessLimits.of(KernelFiles.SYSTEM, ProcessFiles.self()),
                        confines,
                        hasLibcRseq(examined)),
                confines,
                waits,
                feature == 0 ? null : UserTimeCall.of(feature, examined),
                source.get().orElse(null));
    }

    private String home() {
        return target.code("libjvm.so"::equals).stream()
                .map(file -> BELOW_HOME.matcher(file.path()).replaceFirst(""))
                .findFirst()
                .orElse("?");
    }

    private JvmWaits waits() {
        JvmWatch watch = new JvmWatch(KernelFiles.SYSTEM, target.files());
        long beginNs = System.nanoTime();
        try {
            TimeUnit.NANOSECONDS.sleep(WATCH_NS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return watch.waits(Math.max(1, System.nanoTime() - beginNs));
    }

    private boolean isFromStart() {
        return JvmFlags.of(target.files()).words().stream().anyMatch(JvmInspection::isAgent);
    }

    static boolean isAgent(String word) {
        return word.startsWith("-agentpath:") && word.contains("libthreadclock");
    }

    private Finding noAttaching() {
        try {
            target.refuseHarm();
            return null;
        } catch (Refusal refusal) {
            return new Finding(Level.RED, "attaching", refusal.answer(), refusal.remedy());
        }
    }

    /**
     * It matters to the source ids alone. The answer is that of this process, unless the JVM runs on musl, or was told
     * otherwise.
     */
    private boolean hasLibcRseq(Examination examined) {
        boolean isMusl = target.files().memoryMap().has(name -> name.startsWith("ld-musl"));
        boolean isOff = target.files().words("environ").stream()
                .anyMatch(setting -> setting.startsWith("GLIBC_TUNABLES=") && setting.contains(NO_RSEQ));
        return !isMusl && !isOff && examined.source(SourceNames.IDS).reason() == Reason.LIBC_AREA;
    }
}
