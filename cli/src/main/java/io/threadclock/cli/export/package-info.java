// SPDX-License-Identifier: Apache-2.0
/** What JVMs cost, as meters: {@code threadclock export}. */
package io.threadclock.cli.export;
