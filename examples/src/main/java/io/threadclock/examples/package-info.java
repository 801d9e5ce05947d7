// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that answer one question each. After {@code ./threadclock build}, on Java 8 and newer:
 *
 * <pre>java -cp examples/target/threadclock-examples.jar io.threadclock.examples.TopThreads</pre>
 *
 * <p>From Java 24 on, add {@code --enable-native-access=ALL-UNNAMED}; otherwise the JVM warns about native code.
 */
package io.threadclock.examples;
