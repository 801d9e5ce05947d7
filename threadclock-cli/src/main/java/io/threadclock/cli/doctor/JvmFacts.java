// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

/** What is known of one JVM. */
public record JvmFacts(int pid) {}
