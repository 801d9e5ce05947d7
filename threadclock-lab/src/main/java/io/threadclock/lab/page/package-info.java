// SPDX-License-Identifier: Apache-2.0
/**
 * {@code report/index.html}: what a run has measured as one page that needs nothing beside it. Charts are drawn by
 * uPlot, which is in the page with its licence, and so are style, script and figures.
 */
package io.threadclock.lab.page;
