// SPDX-License-Identifier: Apache-2.0
/** {@code threadclock top}: what is made of looks at threads, and how it is shown. */
package io.threadclock.cli.top;
