// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What is known of one JVM.
 *
 * @param home of its JDK or JRE
 * @param threads that live
 * @param agent the library that it has loaded, as it sees the path; null: none
 * @param isFromStart the agent was given by -agentpath
 * @param isOtherVersion it is another file than this command's
 * @param isInUse ThreadMXBean is the agent's, as is seen from outside; null: the library does not tell
 * @param noAttaching why it cannot be attached to, with what to do; null: it can
 * @param hasLibcRseq its libc registers rseq areas, as far as can be told
 * @param foreseen the source that the agent takes in it, told from outside
 * @param ownCall what its JDK does, seen in a short-lived JVM of the same JDK; null: not seen
 * @param noOwnCall why not
 * @param answers what it answers itself; null: it was not asked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JvmFacts(
        int pid,
        String home,
        int threads,
        String agent,
        boolean isFromStart,
        boolean isOtherVersion,
        Boolean isInUse,
        Finding noAttaching,
        boolean hasLibcRseq,
        ExpectedSource foreseen,
        ProcessLimits confines,
        UserTimeCall ownCall,
        String noOwnCall,
        ThreadMXBeanAnswers answers) {}
