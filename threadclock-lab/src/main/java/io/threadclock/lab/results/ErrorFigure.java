// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

/**
 * One figure of the laboratory: how far a reader was from the truth.
 *
 * @param over what one error is of: {@code 1s}, {@code 10ms}, {@code request} or {@code thread}; {@code truth} for what
 *     the laboratory says of the workload itself; {@code period} of splits that take turns
 * @param reader {@code proc}, {@code ticks}, {@code kernel}, {@code smoothed} or {@code sampled}, with its period as in
 *     {@code sampled:1ms} where splits take turns; {@code -} for the truth
 * @param quantity {@code user}, in percentage points of the CPU time; {@code cpu}, in ns against the kernel's clock;
 *     {@code cost}, by how many % the same work takes more CPU time than it was calibrated to;
 *     {@code more}, by how many % more than with the split kernel of the same round;
 *     of the truth {@code user-share} and {@code crosscheck}
 * @param statistic {@code bias}, {@code mean} (of the absolute errors) or {@code p95} (of the same); of {@code more}
 *     {@code median} and {@code spread} of the rounds
 * @param errors how many errors it sums up
 */
public record ErrorFigure(
        String workload, String over, String reader, String quantity, String statistic, double amount, long errors) {
    public static final String USER = "user";
    public static final String CPU = "cpu";
    public static final String COST = "cost";
    public static final String BIAS = "bias";
    public static final String MEAN = "mean";
    public static final String P95 = "p95";
    public static final String MORE = "more";
    public static final String MEDIAN = "median";
    public static final String SPREAD = "spread";
    public static final String PERIOD = "period";
    public static final String TRUTH = "truth";
    public static final String USER_SHARE = "user-share";

    public boolean is(String quantity, String statistic) {
        return this.quantity.equals(quantity) && this.statistic.equals(statistic);
    }
}
