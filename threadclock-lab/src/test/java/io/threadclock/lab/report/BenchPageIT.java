// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Browser;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Results.FlameGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a browser. Its pictures stay in target/report-page, to be looked at. Half a minute. */
@Timeout(600)
class BenchPageIT {
    private static final Path PICTURES = Path.of("target", "report-page");
    private static final int DESK = 1600;
    private static final int PHONE = 400;
    /** The run that the documents are made from, on three JDKs. */
    private static final Results WHOLE =
            Results.kept(Path.of("..").toAbsolutePath().normalize(), "bench").read();

    private static final Results OLDER = twiceAsLong(WHOLE);

    /** Three JDKs have these: the engine, sampled reads on 1 and 16 threads, calls on many threads, and four growths. */
    private static final int CHARTS = 3 * (1 + 2 + 1 + 4);

    private static final String FIVE_JDKS = "8.0.452 11.0.27 17.0.15 21.0.7 25.0.3";
    /** Axes and grid alone take more than this. */
    private static final int FEWEST_PIXELS = 2_000;

    /** How many pixels of each chart are not of its ground, which is transparent. */
    private static final String DRAWN_PIXELS =
            """
            return [...document.querySelectorAll(".plot canvas")].map((canvas) => {
              const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              let drawn = 0;
              for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) drawn++;
              return drawn;
            });
            """;

    /** How many pixels of each chart have a line's colour, as the theme of this moment has it. Not grey: axes are. */
    private static final String LINE_PIXELS =
            """
            const theme = getComputedStyle(document.documentElement);
            const tones = [...new Set([...document.querySelectorAll(".legend line")].map((line) => line.style.stroke))]
              .filter((stroke) => !stroke.includes("base"))
              .map((stroke) => theme.getPropertyValue(stroke.slice(4, -1)).trim())
              .map((tone) => [1, 3, 5].map((at) => parseInt(tone.substr(at, 2), 16)));
            return [...document.querySelectorAll(".plot canvas")].map((canvas) => {
              const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
              let found = 0;
              for (let i = 0; i < pixels.length; i += 4) {
                const near = (tone) => tone.every((part, at) => Math.abs(pixels[i + at] - part) < 6);
                if (pixels[i + 3] > 200 && tones.some(near)) found++;
              }
              return found;
            });
            """;

    private static final String CHART_WIDTHS =
            "return [...document.querySelectorAll('.plot canvas')].map((canvas) => canvas.clientWidth)";

    @TempDir
    static Path directory;

    private static Browser browser;

    /** Before each, because only then each is counted as skipped. */
    @BeforeEach
    void requireABrowser() {
        List<String> missing = Browser.missing();
        Assumptions.assumeTrue(missing.isEmpty(), "missing: " + String.join(", ", missing));
        if (browser == null) {
            browser = new Browser(directory.resolve("profile"));
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @ParameterizedTest
    @CsvSource({PHONE + ", light", PHONE + ", dark", DESK + ", light", DESK + ", dark"})
    void isReadableAtThisWidthInThisTheme(int width, String theme) throws IOException {
        open(WHOLE, width, theme);
        browser.screenshot(PICTURES.resolve(width + "-" + theme + ".png"));
        assertThat(browser.complaints()).as("console").isEmpty();
        assertThat(pageWidth()).as("width of the page").isEqualTo(width);
        assertThat(numbers(DRAWN_PIXELS))
                .as("pixels of each chart")
                .hasSize(CHARTS)
                .allMatch(n -> n > FEWEST_PIXELS);
        assertThat(numbers(LINE_PIXELS)).as("pixels of each chart's lines").allMatch(n -> n > width / 10);
    }

    @ParameterizedTest
    @CsvSource({PHONE + ", light", DESK + ", dark"})
    void showsAComparisonWithinItsWidth(int width, String theme) throws IOException {
        open(WHOLE, Optional.of(OLDER), width, theme);
        browser.screenshot(PICTURES.resolve("compared-" + width + "-" + theme + ".png"));
        assertThat(browser.complaints()).as("console").isEmpty();
        assertThat(pageWidth()).as("width of the page").isEqualTo(width);
    }

    @ParameterizedTest
    @CsvSource({FIVE_JDKS + ", " + DESK, FIVE_JDKS + ", " + PHONE, "17.0.15, " + DESK})
    void takesAnyNumberOfJdks(String jdks, int width) throws IOException {
        open(on(jdks.split(" ")), width, "light");
        assertThat(browser.complaints()).as("console").isEmpty();
        assertThat(pageWidth()).as("width of the page").isEqualTo(width);
        assertThat(numbers(DRAWN_PIXELS))
                .as("pixels of each chart")
                .isNotEmpty()
                .allMatch(n -> n > FEWEST_PIXELS);
    }

    @Test
    void scrollsWideTablesInABoxOfTheirOwn() throws IOException {
        open(WHOLE, PHONE, "light");
        String widest = "return Math.max(...[...document.querySelectorAll('.scroll')].map((box) => box.scrollWidth))";
        assertThat((Long) browser.evaluate(widest)).isGreaterThan(PHONE);
        assertThat(pageWidth()).as("width of the page").isEqualTo(PHONE);
    }

    @Test
    void drawsItsChartsAnewWhenTheThemeChanges() throws IOException {
        open(WHOLE, DESK, "light");
        browser.theme("dark");
        assertThat(numbers(LINE_PIXELS)).as("pixels of each chart's lines").allMatch(n -> n > DESK / 10);
    }

    @Test
    void isPrintedLightWhateverTheTheme() throws IOException {
        open(WHOLE, DESK, "dark");
        browser.paper();
        browser.screenshot(PICTURES.resolve("paper.png"));
        assertThat(browser.evaluate("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(255, 255, 255)");
        assertThat(numbers(LINE_PIXELS)).as("pixels of each chart's lines").allMatch(n -> n > DESK / 10);
    }

    @Test
    void fitsItsChartsWhenTheWidthChanges() throws IOException {
        open(WHOLE, DESK, "light");
        assertThat(numbers(CHART_WIDTHS)).allMatch(width -> width > PHONE);
        browser.resize(PHONE);
        assertThat(numbers(CHART_WIDTHS)).hasSize(CHARTS).allMatch(width -> width < PHONE);
        assertThat(numbers(DRAWN_PIXELS)).as("pixels of each chart").allMatch(n -> n > FEWEST_PIXELS);
    }

    @Test
    void takesALineAwayAtAClickAndBringsItBack() throws IOException {
        open(WHOLE, DESK, "light");
        long both = numbers(DRAWN_PIXELS).get(0);
        clickFirstLegend();
        long without = numbers(DRAWN_PIXELS).get(0);
        clickFirstLegend();
        assertThat(without).as("pixels without the line").isLessThan(both);
        assertThat(numbers(DRAWN_PIXELS).get(0)).as("pixels with it again").isEqualTo(both);
    }

    @Test
    void loadsNothing() throws IOException {
        open(WHOLE, DESK, "light");
        assertThat((List<?>) browser.evaluate("return performance.getEntriesByType('resource').map((one) => one.name)"))
                .isEmpty();
    }

    @Test
    void showsHostileNamesAsText() throws IOException {
        String taken = "document.title = 'taken'";
        String hostile = "</script><script>" + taken + "</script><img src=x onerror=\"" + taken + "\">";
        open(named(hostile), DESK, "light");
        assertThat(browser.evaluate("return document.title")).isEqualTo("threadclock benchmarks");
        assertThat(browser.evaluate("return document.querySelector('.legend span').textContent"))
                .isEqualTo(hostile);
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    @Test
    void showsARunWithoutAnyFigure() throws IOException {
        open(new Results(WHOLE.origin(), List.of(), List.of()), PHONE, "dark");
        assertThat(browser.complaints()).as("console").isEmpty();
        assertThat(pageWidth()).as("width of the page").isEqualTo(PHONE);
    }

    private static Results twiceAsLong(Results results) {
        return results.with(results.measurements().stream()
                .map(one -> new Measurement(
                        one.subject(),
                        one.unit(),
                        one.rounds().stream().map(each -> 2 * each).toList(),
                        one.samples(),
                        one.statistics(),
                        null))
                .toList());
    }

    /** The figures of the first JDK, for each of these. */
    private static Results on(String... jdks) {
        String first = WHOLE.origin().runtimes().get(0).version();
        return WHOLE.with(Stream.of(jdks)
                .flatMap(jdk -> WHOLE.measurements().stream()
                        .filter(one -> one.subject().jdk().equals(first))
                        .map(one -> new Measurement(
                                on(jdk, one.subject()),
                                one.unit(),
                                one.rounds(),
                                one.samples(),
                                one.statistics(),
                                null)))
                .toList());
    }

    private static Subject on(String jdk, Subject subject) {
        return new Subject(subject.benchmark(), jdk, subject.contender(), subject.quantity(), subject.parameter());
    }

    /** A run in which everything has this name. */
    private static Results named(String name) {
        List<Measurement> series = new ArrayList<>();
        for (double parameter = 1; parameter <= 4; parameter++) {
            series.add(Measurement.of(
                    new Subject(Benchmarks.JMH_THREADS, name, name, name, parameter),
                    name,
                    List.of(parameter, parameter)));
        }
        Origin.Runtime runtime = new Origin.Runtime(name, name, name, name);
        Origin origin = new Origin(name, name, name, 1, name, false, 1, name, 100L, name, List.of(runtime));
        List<FlameGraph> flames = List.of(new FlameGraph(name, name, 0));
        return new Results(Results.FORMAT, origin, series, flames, List.of(name));
    }

    private static void clickFirstLegend() {
        browser.evaluate("document.querySelector('.legend button').click()");
        browser.awaitFrames();
    }

    private static long pageWidth() {
        return (Long) browser.evaluate("return document.documentElement.scrollWidth");
    }

    private static List<Long> numbers(String script) {
        return ((List<?>) browser.evaluate(script))
                .stream().map(Long.class::cast).toList();
    }

    private static void open(Results results, int width, String theme) throws IOException {
        open(results, Optional.empty(), width, theme);
    }

    private static void open(Results results, Optional<Results> older, int width, String theme) throws IOException {
        Path page = new BenchPage(results, older).write(directory);
        browser.open(page, width, theme);
    }
}
