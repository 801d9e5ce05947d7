// SPDX-License-Identifier: Apache-2.0
/** {@code threadclock record}: turns snapshots of threads into samples, which the recorder keeps. */
package io.threadclock.cli.record;
