// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The facts about one JVM.
 *
 * @param home the folder of its JDK or JRE
 * @param threads the number of living threads
 * @param agent the path of the library that it has loaded, as it sees it; null: none
 * @param isFromStart whether the agent was given by -agentpath
 * @param isJvmtiFree whether it was started so that JVMTI does not slow its virtual threads
 * @param isInUse whether ThreadMXBean is the agent's, as seen from outside; null: the library does not tell
 * @param virtualThreads what is known of its virtual threads
 * @param noAttaching why it cannot be attached to, with what to do; null: it can
 * @param foreseen the source that the agent will use in it, as told from outside
 * @param waits how its threads have waited for CPUs for a while; null: not known
 * @param ownCall what its JDK's own call does; null: the JVM does not tell its version
 * @param source the source in use in it, as its agent says; null: it was not asked, or has not answered
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JvmFacts(
        int pid,
        String home,
        int threads,
        String agent,
        boolean isFromStart,
        boolean isJvmtiFree,
        Boolean isInUse,
        VirtualThreadFacts virtualThreads,
        Finding noAttaching,
        ExpectedSource foreseen,
        ProcessLimits confines,
        JvmWaits waits,
        UserTimeCall ownCall,
        String source) {}
