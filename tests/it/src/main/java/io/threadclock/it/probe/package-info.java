// SPDX-License-Identifier: Apache-2.0
/**
 * Programs and laws that child JVMs run, stock and with the agent. They are Java 8, and use newer features by
 * reflection. Among the tests, this package has laws: a class with {@code @InChild} is one that child JVMs run. Here
 * are the threads and the work of the laws, and programs that print facts of the form {@code name=value}, which tests
 * in the parent judge.
 */
package io.threadclock.it.probe;
