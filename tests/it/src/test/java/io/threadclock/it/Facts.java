// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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

    /** Asserts that this is {@code true}, or {@code false}; the sentence says of what. */
    void check(String name, boolean expected, String sentence, Object... parts) {
        assertThat(text(name)).as(sentence, parts).isEqualTo(Boolean.toString(expected));
    }

    /** A count, or nanoseconds. */
    long number(String name) {
        return Long.parseLong(text(name));
    }

    /** The facts that differ from those of {@code others}, or that only one of the two has. */
    List<String> differencesFrom(Facts others) {
        Set<String> names = new LinkedHashSet<>(byName.keySet());
        names.addAll(others.byName.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(byName.get(name), others.byName.get(name)))
                .map(name -> name + ": " + byName.get(name) + " against " + others.byName.get(name))
                .toList();
    }

    /** The facts whose names begin with this. */
    Map<String, String> startingWith(String prefix) {
        Map<String, String> some = new LinkedHashMap<>(byName);
        some.keySet().removeIf(name -> !name.startsWith(prefix));
        return some;
    }
}
