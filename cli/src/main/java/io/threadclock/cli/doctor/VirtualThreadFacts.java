// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.threadclock.cli.attach.StatusPages;
import io.threadclock.cli.process.JvmFlags;
import io.threadclock.cli.process.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The facts about a JVM's virtual threads.
 *
 * @param feature the feature release of its JDK; 0: the JVM does not tell
 * @param version the version of its JDK; null: the JVM does not tell
 * @param measuring whether an agent measures them, as seen from outside; null: the library does not tell
 * @param isAskedAtStart whether -agentpath was given the option virtual
 * @param writesArchive whether it was started to write an archive of its classes
 * @param haveKernelThreads whether each has a thread of the kernel, because it was started so
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VirtualThreadFacts(
        int feature,
        String version,
        StatusPages.VirtualThreads measuring,
        boolean isAskedAtStart,
        boolean writesArchive,
        boolean haveKernelThreads) {
    private static final List<String> ARCHIVE =
            List.of("-XX:ArchiveClassesAtExit=", "-XX:AOTCacheOutput=", "-XX:AOTMode=record");

    static VirtualThreadFacts of(Target target) {
        JvmFlags flags = JvmFlags.of(target.files());
        return new VirtualThreadFacts(
                target.feature().orElse(0),
                target.runtimeVersion().orElse(null),
                StatusPages.virtualThreads(target).orElse(null),
                flags.words().stream().filter(JvmInspection::isAgent).anyMatch(VirtualThreadFacts::asksForThem),
                flags.words().stream().anyMatch(word -> ARCHIVE.stream().anyMatch(word::startsWith)),
                flags.isOn("VMContinuations").equals(Optional.of(false)));
    }

    private static boolean asksForThem(String agent) {
        String options = agent.substring(agent.indexOf('=') + 1);
        return Arrays.asList(options.split(",")).contains("virtual");
    }
}
