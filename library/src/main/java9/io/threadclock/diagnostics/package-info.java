// SPDX-License-Identifier: Apache-2.0
// As that of io.threadclock.
@NullMarked
package io.threadclock.diagnostics;

import org.jspecify.annotations.NullMarked;
