// SPDX-License-Identifier: Apache-2.0
/**
 * Looking at all threads of a JVM, again and again. {@link io.threadclock.cli.view.View} through the agent in it, {@link
 * io.threadclock.cli.view.ProcView} from outside.
 */
package io.threadclock.cli.view;
