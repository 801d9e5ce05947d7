// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code name=value} lines of a probe. */
record Facts(Outcome outcome, Map<String, String> byName) {
    static Facts of(Outcome outcome) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (String line : outcome.result().stdoutLines()) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                byName.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return new Facts(outcome, byName);
    }

    String text(String name) {
        String text = byName.get(name);
        if (text == null) {
            throw new AssertionError(outcome.program() + " did not print " + name + ":\n" + outcome.text());
        }
        return text;
    }

    /** A count, or nanoseconds. */
    long number(String name) {
        return Long.parseLong(text(name));
    }

    /** Those whose names end so. */
    Map<String, String> endingIn(String suffix) {
        Map<String, String> some = new LinkedHashMap<>(byName);
        some.keySet().removeIf(name -> !name.endsWith(suffix));
        return some;
    }
}
