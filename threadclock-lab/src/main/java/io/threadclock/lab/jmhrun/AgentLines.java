// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What the agent has said in a fork. JMH writes while it does so, and may have begun the line. */
final class AgentLines {
    private static final Pattern LINE = Pattern.compile("(?m)(?<![\\w./-])threadclock: .*$");

    private AgentLines() {}

    static List<String> in(String printed) {
        return LINE.matcher(printed).results().map(MatchResult::group).distinct().toList();
    }
}
