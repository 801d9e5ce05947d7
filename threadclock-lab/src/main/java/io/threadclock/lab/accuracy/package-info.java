// SPDX-License-Identifier: Apache-2.0
/** {@code ./threadclock accuracy}: runs the laboratory of the native library and holds its figures against the bounds. */
package io.threadclock.lab.accuracy;
