// SPDX-License-Identifier: Apache-2.0
/** Getting the agent into a JVM: a library that it can load, at a path that it sees, asked for as the user that it obeys. */
package io.threadclock.cli.attach;
