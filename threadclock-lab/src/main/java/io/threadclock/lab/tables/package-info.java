// SPDX-License-Identifier: Apache-2.0
/** The tables, the figures to reach and the chart, for the terminal and the documents: views of a run's results. */
package io.threadclock.lab.tables;
