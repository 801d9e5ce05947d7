// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

/** What is kept the same over the rounds of a measurement. */
record Setting(int workers, Contender contender, boolean attribution) {}
