// SPDX-License-Identifier: Apache-2.0
/** Runs the JMH benchmarks on JDKs of choice, and says what came of them in the words of results.json. */
package io.threadclock.lab.jmhrun;
