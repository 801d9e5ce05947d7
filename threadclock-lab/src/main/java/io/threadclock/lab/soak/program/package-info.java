// SPDX-License-Identifier: Apache-2.0
/** What runs inside the child JVM of the soak. */
package io.threadclock.lab.soak.program;
