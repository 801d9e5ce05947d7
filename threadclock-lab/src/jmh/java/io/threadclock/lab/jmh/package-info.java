// SPDX-License-Identifier: Apache-2.0
/**
 * The JMH benchmarks: a class is a question, a method is a contender. {@code ./threadclock bench} runs them on each JDK.
 * By JMH's own command line, in a checkout that has been built:
 *
 * <pre>{@code
 * make -C threadclock-native bench-library
 * java -cp 'threadclock-lab/target/threadclock-lab.jar:threadclock-lab/target/lib/*' \
 *   org.openjdk.jmh.Main -bm avgt -f 3 OneRead -jvmArgsAppend \
 *   -Dthreadclock.benchmarks.library=$PWD/threadclock-native/build/bench/libbareclocks.so
 * }</pre>
 */
package io.threadclock.lab.jmh;
