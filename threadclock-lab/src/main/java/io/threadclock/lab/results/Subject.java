// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

/**
 * What was measured; no two figures of a run have the same.
 *
 * @param benchmark the question, for instance {@code loop} or {@code snapshot}
 * @param jdk the JDK's version, or an empty string for C
 * @param contender who answers it, for instance {@code stock}
 * @param quantity of what, for instance {@code user time}
 * @param parameter for what number of threads, depth or the like; null if there is none
 */
public record Subject(String benchmark, String jdk, String contender, String quantity, Double parameter) {}
