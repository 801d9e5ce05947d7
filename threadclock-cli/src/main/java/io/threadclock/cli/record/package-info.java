// SPDX-License-Identifier: Apache-2.0
/** {@code threadclock record}: what is made of looks at threads, so that it can be kept. */
package io.threadclock.cli.record;
