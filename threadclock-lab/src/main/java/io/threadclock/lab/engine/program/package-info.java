// SPDX-License-Identifier: Apache-2.0
/** What runs inside the child JVM of the engine-shaped benchmark. */
package io.threadclock.lab.engine.program;
