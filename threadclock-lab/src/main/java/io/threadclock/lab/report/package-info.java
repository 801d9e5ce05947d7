// SPDX-License-Identifier: Apache-2.0
/**
 * Publishes what a run has measured. A {@link io.threadclock.lab.report.Table} describes each table once, as a function of
 * the results; terminals have it as text, documents and the page as Markdown. A {@link io.threadclock.lab.report.SvgChart} draws
 * each picture for both. All figures reach documents through {@link io.threadclock.lab.report.Documents}.
 */
package io.threadclock.lab.report;
