// SPDX-License-Identifier: Apache-2.0
/**
 * Internals of the clock, for those who operate or compare it. Incubating: these types follow the clock, and may change
 * in any release.
 */
package io.threadclock.diagnostics;
