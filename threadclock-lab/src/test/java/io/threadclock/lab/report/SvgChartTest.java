// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.threadclock.lab.report.SvgChart.LogAxis;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class SvgChartTest {
    private static final String SVG = chartOf("17.0.15", "25.0.3");

    @Test
    void isADocumentThatBrowsersRead() throws Exception {
        assertThat(parsed().getDocumentElement().getTagName()).isEqualTo("svg");
    }

    @Test
    void hasALineForEachClockAndQuantityOnEachJdk() throws Exception {
        assertThat(parsed().getElementsByTagName("polyline").getLength())
                .as("2 clocks x 2 quantities x 2 JDKs")
                .isEqualTo(8);
    }

    @Test
    void saysInTextWhatItShows() {
        assertThat(SVG)
                .contains(
                        ">JDK 17.0.15<",
                        ">JDK 25.0.3<",
                        ">threads in the array<",
                        ">time of one call<",
                        ">5,000<",
                        ">user time, stock<",
                        ">CPU time, threadclock<");
    }

    @Test
    void tellsTheFigureOfEachPoint() {
        assertThat(SVG)
                .contains("user time, stock, 1,000 threads: 8,000 µs", "user time, threadclock, 10 threads: 4.0 µs");
    }

    @Test
    void hasColoursForDarkGround() {
        assertThat(SVG).contains("prefers-color-scheme: dark");
    }

    @Test
    void hasAPanelMoreInASecondRow() throws Exception {
        String three = chartOf("17", "21", "25");
        assertThat(parsed(three).getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 800 740");
    }

    @Test
    void givesEachPowerOfTenTheSameRoom() {
        LogAxis axis = new LogAxis(1, 1000);
        assertThat(axis.place(1)).isZero();
        assertThat(axis.place(10)).isCloseTo(1.0 / 3, within(1e-9));
        assertThat(axis.place(1000)).isCloseTo(1, within(1e-9));
    }

    @Test
    void reachesFromThePowerOfTenBelowToTheOneAbove() {
        assertThat(LogAxis.aroundDecades(3, 45_000)).isEqualTo(new LogAxis(1, 100_000));
        assertThat(LogAxis.aroundDecades(10, 10))
                .as("one power of ten at least")
                .isEqualTo(new LogAxis(10, 100));
    }

    @Test
    void marksThePowersOfTenBetweenItsEnds() {
        assertThat(new LogAxis(0.1, 100).decades()).containsExactly(0.1, 1.0, 10.0, 100.0);
        assertThat(new LogAxis(7, 7000).decades()).containsExactly(10.0, 100.0, 1000.0);
    }

    @Test
    void comparesEachClockOfAVirtualThreadWithItsCarriers() {
        MadeUpRun run = new MadeUpRun("25.0.3");
        for (double carriers : new double[] {1, 2, 4}) {
            run.figure(Benchmarks.MOUNTED, "25.0.3", Contest.ACCOUNT, "unit of work", carriers, 5);
            run.figure(Benchmarks.MOUNTED, "25.0.3", Contest.MOUNTED, "unit of work", carriers, 5 * carriers);
            run.figure(Benchmarks.MOUNTED, "25.0.3", Contest.CARRIERS, "unit of work", carriers, 5);
        }
        assertThat(new MountedChart(run.results()).toSvg())
                .contains(
                        "account, 4 busy carriers per CPU: 1.00 of the CPU time used",
                        "mounted wall time, 4 busy carriers per CPU: 4.00 of the CPU time used");
    }

    private static String chartOf(String... jdks) {
        MadeUpRun run = new MadeUpRun(jdks);
        for (String jdk : jdks) {
            run.others(jdk, 8000, 400, 500);
        }
        return new GrowthChart(run.results()).toSvg();
    }

    private static Document parsed() throws Exception {
        return parsed(SVG);
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
