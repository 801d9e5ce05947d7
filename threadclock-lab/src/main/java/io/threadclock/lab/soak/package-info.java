// SPDX-License-Identifier: Apache-2.0
/** {@code ./threadclock soak}: everything at once, for a long time, and nothing may go wrong. */
package io.threadclock.lab.soak;
