// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

/**
 * A page beside results.json.
 *
 * @param file its name there
 * @param title what it shows
 * @param systemCallShare share of the samples that were in a system call, 0 to 1
 */
public record FlameGraph(String file, String title, double systemCallShare) {}
