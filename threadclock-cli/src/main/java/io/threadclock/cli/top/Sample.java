// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.view.Look;
import java.util.List;

/**
 * What happened between two looks.
 *
 * @param elapsedNs between them; 0: this is the first one
 * @param process of all threads together
 * @param ownRatio what being looked at costs the process, as a ratio of one core
 */
public record Sample(Look look, long elapsedNs, List<ThreadUsage> threads, Rate process, double ownRatio) {}
