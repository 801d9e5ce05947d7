// SPDX-License-Identifier: Apache-2.0
/** The JVMs that are compared, the way in which the clock has come into each, and their turns. */
package io.threadclock.lab.contender;
