// SPDX-License-Identifier: Apache-2.0
/** The questions of {@code ./threadclock bench}: each class answers one. */
package io.threadclock.lab.question;
