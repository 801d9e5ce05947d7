// SPDX-License-Identifier: Apache-2.0
/**
 * What {@code doctor} looks at: {@link io.threadclock.cli.doctor.Examination} is what only trying tells, and the native
 * library tries; {@link io.threadclock.cli.doctor.MachineFacts} and {@link
 * io.threadclock.cli.doctor.ProcessLimits} are what files tell; findings are made of them, and shown.
 */
package io.threadclock.cli.doctor;
