// SPDX-License-Identifier: Apache-2.0
/** What demo, bench, accuracy and soak run. Each program that measures is a class with a {@code main} of its own. */
package io.threadclock.bench;
