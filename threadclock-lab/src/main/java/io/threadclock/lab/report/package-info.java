// SPDX-License-Identifier: Apache-2.0
/**
 * Publishes what a run has measured. A {@link io.threadclock.lab.report.Table} describes each table once, as a function of
 * the results, and is rendered as text, Markdown and HTML. Charts are drawn by uPlot on the page, and as
 * {@link io.threadclock.lab.report.SvgChart} in documents. All figures reach documents through
 * {@link io.threadclock.lab.report.Documents}.
 */
package io.threadclock.lab.report;
