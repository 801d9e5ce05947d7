// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorChartTest {
    @Test
    void hasADotForEachReaderInEachWorkload() {
        String svg = chart(ErrorWindow.REQUEST).toSvg();
        assertThat(svg)
                .contains("<title>ticks, requests-pure: 49</title>", "<title>smoothed, requests-pure: 48</title>")
                .doesNotContain("spin");
    }

    @Test
    void placesTheSmallerErrorFurtherLeft() {
        String svg = chart(ErrorWindow.TEN_MILLISECONDS).toSvg();
        assertThat(place(svg, "smoothed, spin")).isLessThan(place(svg, "ticks, spin"));
    }

    @Test
    void keepsWhatIsBeyondTheAxisAtItsEdge() {
        ErrorChart chart = new ErrorChart(
                new MadeUpLaboratory()
                        .user("spin", "1s", "ticks", 5000, 9000)
                        .user("spin", "1s", "kernel", 0, 0)
                        .results(),
                ErrorWindow.SECOND);
        assertThat(place(chart.toSvg(), "ticks, spin")).isEqualTo(736);
        assertThat(place(chart.toSvg(), "kernel, spin")).isEqualTo(150);
    }

    @Test
    void isEmptyWhereNothingWasMeasured() {
        assertThat(chart(ErrorWindow.THREAD).isEmpty()).isTrue();
    }

    private static ErrorChart chart(ErrorWindow window) {
        return new ErrorChart(MadeUpLaboratory.ofTwoReaders().results(), window);
    }

    private static double place(String svg, String hint) {
        String before = svg.substring(0, svg.indexOf("<title>" + hint));
        return Double.parseDouble(before.replaceAll("(?s).*cx=\"([0-9.]+)\".*", "$1"));
    }
}
