// SPDX-License-Identifier: Apache-2.0
/** All that a run has measured, as results.json holds it: what every table, chart and document is made from. */
package io.threadclock.lab.results;
