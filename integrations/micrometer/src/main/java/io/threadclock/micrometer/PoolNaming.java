// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.PoolName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Assigns a thread to a pool by its name: by the first rule that matches, else by {@link PoolName}. */
final class PoolNaming {
    private final List<Rule> rules;

    PoolNaming(List<Rule> rules) {
        this.rules = new ArrayList<>(rules);
    }

    String poolOf(String threadName) {
        for (Rule rule : rules) {
            if (rule.pattern.matcher(threadName).matches()) {
                return rule.pool;
            }
        }
        return PoolName.of(threadName);
    }

    static final class Rule {
        final Pattern pattern;
        final String pool;

        Rule(Pattern pattern, String pool) {
            this.pattern = pattern;
            this.pool = pool;
        }
    }
}
