// SPDX-License-Identifier: Apache-2.0
/**
 * The facts that {@code doctor} collects: the native library finds out by trying what
 * {@link io.threadclock.cli.doctor.Examination} holds; {@link io.threadclock.cli.doctor.MachineFacts} and
 * {@link io.threadclock.cli.doctor.ProcessLimits} come from files. Findings are made of them, and shown.
 */
package io.threadclock.cli.doctor;
