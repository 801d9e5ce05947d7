// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which pool a thread belongs to, by its name: the first rule that matches, else its name without its number. */
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
        return withoutNumber(threadName);
    }

    /** {@code http-nio-8080-exec-12} is of {@code http-nio-8080-exec-*}, {@code main} of {@code main}. */
    private static String withoutNumber(String threadName) {
        int end = threadName.length();
        while (end > 0 && isDigit(threadName.charAt(end - 1))) {
            end--;
        }
        return end == threadName.length() ? threadName : threadName.substring(0, end) + '*';
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
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
