// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Jdk;

/** What contenders are asked for, by the names that results.json has for it. */
record Question(String benchmark, String quantity, Double parameter) {
    Question(String benchmark, Object quantity) {
        this(benchmark, quantity.toString(), null);
    }

    Subject subject(Jdk jdk, String contender) {
        return new Subject(benchmark, jdk.version(), contender, quantity, parameter);
    }
}
