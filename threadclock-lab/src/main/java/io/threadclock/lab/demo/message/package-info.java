// SPDX-License-Identifier: Apache-2.0
/** What the driver and the child JVMs of the demo say to one another, one line each. */
package io.threadclock.lab.demo.message;
