// SPDX-License-Identifier: Apache-2.0
/** The JVMs that are compared: how the clock has come into each, and how they take turns. */
package io.threadclock.lab.contender;
