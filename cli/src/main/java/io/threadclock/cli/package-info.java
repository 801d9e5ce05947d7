// SPDX-License-Identifier: Apache-2.0
/** The command line: one class per subcommand, and the options that several of them have. */
package io.threadclock.cli;
