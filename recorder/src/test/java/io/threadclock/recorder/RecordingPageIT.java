// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the page in a browser. Takes some ten seconds. */
@Timeout(600)
@Tag("browser")
class RecordingPageIT {
    private static final long TENTH_US = 100_000;
    private static final int SAMPLES = 600;
    private static final long UNKNOWN = Sample.ThreadTimes.UNKNOWN;
    private static final int DESK = 1280;
    private static final int PHONE = 400;
    private static final String HOSTILE = MadeUp.HOSTILE_NAMES.get(1);

    /** Counts the chart's pixels that have the color of an element, in a part of its height. */
    private static final String PIXELS =
            """
            const canvas = document.getElementById("chart");
            const pixelsLike = (element, top, height) => {
              const parts = getComputedStyle(element).backgroundColor.match(/\\d+/g).map(Number);
              const pixels = canvas.getContext("2d").getImageData(0, top, canvas.width, height).data;
              let found = 0;
              for (let i = 0; i < pixels.length; i += 4) {
                if (pixels[i + 3] > 200 && parts.every((part, at) => Math.abs(pixels[i + at] - part) < 6)) found++;
              }
              return found;
            };
            """;

    /** For each row of the table, the number of the chart's pixels that have its color. */
    private static final String ROW_PIXELS = PIXELS
            + "return [...document.querySelectorAll('tbody tr i')].map((chip) => pixelsLike(chip, 0, canvas.height));";

    /** The strip of what was throttled is red, as the chip in the key is. */
    private static final String THROTTLED_PART = PIXELS
            + """
            const top = Math.round((canvas.clientHeight - BOTTOM - THROTTLED / 2) * devicePixelRatio);
            return pixelsLike(document.querySelector(".keys .throttled"), top, 1) / canvas.width;
            """;

    @TempDir
    static Path directory;

    /** In a tenth of a second. */
    private static final List<Sample.PoolTimes> POOLS = List.of(
            new Sample.PoolTimes(Sample.PoolTimes.REST, "(carriers' rest)", 0, 0, 5_000_000, 200_000),
            new Sample.PoolTimes(2, "handler-*", 20, 100, 30_000_000, 1_500_000),
            new Sample.PoolTimes(3, HOSTILE, 1, 20, 15_000_000, 300_000));

    private static final List<Work> CARRIERS = List.of(
            new Work("ForkJoinPool-1-worker-1", 25_000_000, 1_000_000, Sample.ThreadTimes.UNKNOWN),
            new Work("ForkJoinPool-1-worker-2", 25_000_000, 1_000_000, Sample.ThreadTimes.UNKNOWN),
            new Work("main", 6_000_000, 0, UNKNOWN));

    private static Browser browser;
    private static Path page;
    private static Path gapPage;
    private static Path virtualPage;
    private static Path waitsPage;

    /** Runs before each test, because only then each is counted as skipped. */
    @BeforeEach
    void requireABrowser() {
        List<String> missing = Browser.missing();
        Assumptions.assumeTrue(missing.isEmpty(), "missing: " + String.join(", ", missing));
        if (browser == null) {
            page = pageOf("report", store -> record(store, 30 * TENTH_US));
            gapPage = pageOf("gap", store -> record(store, TimeUnit.MINUTES.toMicros(10)));
            virtualPage = pageOf("virtual", RecordingPageIT::recordVirtual);
            waitsPage = pageOf("waits", RecordingPageIT::recordWaits);
            browser = new Browser(directory.resolve("profile"));
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static Path pageOf(String name, Consumer<Store> recording) {
        return MadeUp.page(directory.resolve(name), directory.resolve(name + ".html"), recording);
    }

    /** Records a minute of two pools: in its second half the workers do twice as much, and some time is missing. */
    private static void record(Store store, long gapUs) {
        long us = MadeUp.BEGIN_US;
        for (int i = 0; i <= SAMPLES; i++) {
            boolean isFirst = i == 0 || i == SAMPLES / 3 + 1;
            store.put(sample(us, isFirst, pools(i > SAMPLES / 2 ? 2 : 1)));
            boolean isGap = i == SAMPLES / 3;
            us += isGap ? gapUs : TENTH_US;
            if (isGap) {
                store.put(new Gap(MadeUp.JVM, us - gapUs, us, Gap.Reason.NOT_RECORDED, 0));
            }
        }
    }

    private static List<Work> pools(long factor) {
        List<Work> works = new ArrayList<>();
        for (int i = 1; i <= 7; i += 2) {
            works.add(new Work("http-nio-8080-exec-" + i, 4_000_000, 3_000_000, UNKNOWN));
            works.add(new Work("worker-" + (i + 1), 6_000_000 * factor, 1_000_000, UNKNOWN));
        }
        works.add(new Work(HOSTILE, 500_000, 0, UNKNOWN));
        return works;
    }

    /** Records two carriers for half a minute; in its second half their virtual threads are measured. */
    private static void recordVirtual(Store store) {
        for (int i = 0; i <= SAMPLES / 2; i++) {
            Sample carriers = sample(MadeUp.BEGIN_US + i * TENTH_US, i == 0, CARRIERS);
            store.put(i > SAMPLES / 4 ? MadeUp.withPools(carriers, POOLS) : carriers);
        }
    }

    /**
     * Records 16 threads for half a minute. In its first third their waits are not known; each runs for 10 ms and waits
     * for 40, and at times, importers wait for 80.
     */
    private static void recordWaits(Store store) {
        long toldUs = MadeUp.BEGIN_US + SAMPLES / 6 * TENTH_US;
        for (int i = 0; i <= SAMPLES / 2; i++) {
            boolean isTold = i > SAMPLES / 6;
            List<Work> works = new ArrayList<>();
            for (int thread = 1; thread <= 16; thread++) {
                long waitingNs = thread > 10 && i % 40 > 20 ? 80_000_000 : 40_000_000;
                String pool = thread > 10 ? "import-" : "http-nio-8080-exec-";
                works.add(new Work(pool + thread, 9_000_000, 1_000_000, isTold ? waitingNs : UNKNOWN));
            }
            store.put(sample(MadeUp.BEGIN_US + i * TENTH_US, i == 0, works));
        }
        store.put(new Throttling(MadeUp.JVM, toldUs, toldUs + 60 * TENTH_US, 1500, 60, 60, 2_500_000_000L));
    }

    /** What a thread does in a tenth of a second. */
    private record Work(String name, long userNs, long systemNs, long waitingNs) {}

    private static Sample sample(long us, boolean isFirst, List<Work> works) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        for (Work work : works) {
            int i = times.size() + 1;
            times.add(new Sample.ThreadTimes(i, (int) TENTH_US, work.userNs, work.systemNs, work.waitingNs));
            String kind = work.name.startsWith("ForkJoinPool") ? "carrier" : "java";
            names.add(new Sample.ThreadName(i, 100 + i, i, work.name, work.name.replaceFirst("\\d+$", "*"), kind));
        }
        long userNs = works.stream().mapToLong(Work::userNs).sum();
        long systemNs = works.stream().mapToLong(Work::systemNs).sum();
        Sample.Whole whole = new Sample.Whole(TENTH_US, userNs, systemNs);
        return MadeUp.sample(us, isFirst, works.size(), whole, times, isFirst ? names : List.of());
    }

    @ParameterizedTest
    @CsvSource({DESK + ", light", DESK + ", dark", PHONE + ", light", PHONE + ", dark"})
    void isReadableAtThisWidthInThisTheme(int width, String theme) {
        for (Path each : List.of(page, virtualPage, waitsPage)) {
            browser.open(each, width, theme);
            assertThat(browser.complaints()).as("console").isEmpty();
            assertThat((Long) browser.evaluate("return document.documentElement.scrollWidth"))
                    .isEqualTo(width);
        }
        browser.open(page, width, theme);
        assertThat(pixels(0)).as("pixels of the first pool").isGreaterThan(width * 10L);
    }

    /** The number of the chart's pixels that have the color of this row. */
    private static long pixels(int row) {
        return (Long) ((List<?>) browser.evaluate(ROW_PIXELS)).get(row);
    }

    @Test
    void hasTheFiguresOfPoolsAndThreadsAndLoadsNothing() {
        browser.open(page, DESK, "light");
        assertThat((List<?>) browser.evaluate("return performance.getEntriesByType('resource').map((one) => one.name)"))
                .isEmpty();
        assertThat(browser.texts("thead .waitingS, .of-waiting:not([hidden]), .of-throttling:not([hidden])"))
                .as("what was not recorded")
                .isEmpty();
        assertThat(browser.texts("tbody .name")).containsExactly("worker-*", "http-nio-8080-exec-*", HOSTILE);
        // 299 × 4 × 6 ms, 300 × 4 × 12 ms
        assertThat(browser.texts("tbody .userS").get(0)).isEqualTo("21.576");
        assertThat(browser.text("tfoot .threads")).isEqualTo("9");
        browser.click("#by-thread");
        assertThat(browser.texts("tbody .name")).hasSize(9).contains("worker-2", "http-nio-8080-exec-7");
        browser.click("#by-pool");
        browser.type("#filter", "HTTP");
        assertThat(browser.texts("tbody .name")).containsExactly("http-nio-8080-exec-*");
        assertThat(browser.texts("tfoot td")).isEmpty();
        for (String column : List.of("p50", "p99", "usage")) {
            assertThat(browser.texts("tbody ." + column))
                    .as("%s without what was not recorded", column)
                    .containsExactly("0.280");
        }
    }

    @Test
    void virtualThreadsStandBelowTheirCarriersAndInTheChartInPlaceOfThem() {
        browser.open(virtualPage, DESK, "light");
        assertThat(browser.texts("tbody .name"))
                .containsExactly("ForkJoinPool-1-worker-*", "handler-*", HOSTILE, "(carriers' rest)", "main");
        assertThat(browser.texts("tbody .threads")).containsExactly("2", "20", "1", "", "1");
        assertThat(browser.texts("tbody .userS")).containsExactly("15.000", "4.500", "2.250", "0.750", "1.800");
        browser.click("thead .name button");
        assertThat(browser.texts("tbody .name"))
                .as("by name")
                .containsExactly("ForkJoinPool-1-worker-*", HOSTILE, "handler-*", "(carriers' rest)", "main");
        assertThat(browser.text("tfoot .threads")).isEqualTo("3");
        browser.type("#filter", "handler");
        assertThat(browser.texts("tbody .name")).containsExactly("handler-*");
        assertThat(browser.complaints()).as("console").isEmpty();
        browser.open(virtualPage, DESK, "light");
        assertThat(pixels(0)).as("carriers before their threads were measured").isGreaterThan(10_000);
        browser.drag("#chart", 0.6, 0.9);
        assertThat(pixels(0)).as("pixels of carriers").isZero();
        assertThat((double) pixels(1) / pixels(2)).as("30 ms / 15 ms").isBetween(1.8, 2.2);
        assertThat(browser.texts("tbody .mounts")).containsExactly("", "1,000.0", "200.0", "", "");
    }

    @Test
    void waitsStandAboveCpuTimeOnAScaleOfTheirOwnUntilTheyAreHidden() {
        browser.open(waitsPage, DESK, "light");
        assertThat(browser.texts("tbody .name")).containsExactly("http-nio-8080-exec-*", "import-*");
        // 200 × 10 × 40 ms; 6 × (105 × 40 ms + 95 × 80 ms)
        assertThat(browser.texts("tbody .waitingS")).containsExactly("80.000", "70.800");
        assertThat(browser.text("tfoot .waitingS")).isEqualTo("150.800");
        long withWaits = pixels(0);
        browser.click("#waiting");
        assertThat(pixels(0))
                .as("pixels of CPU time where it has all the height")
                .isBetween(withWaits + 1, 2 * withWaits);
        browser.drag("#chart", 0.1, 0.25);
        assertThat(browser.texts("tbody .waitingS")).as("unknown waits").containsExactly("?", "?");
    }

    /** 6 s of 30 s, without the scale at the left. */
    @Test
    void aTimeInWhichTheQuotaWasUsedUpIsMarked() {
        browser.open(waitsPage, DESK, "light");
        assertThat((Double) browser.evaluate(THROTTLED_PART)).isBetween(0.15, 0.21);
        assertThat(browser.text("#notes")).contains("kept threads waiting for 2.5 s");
        browser.drag("#chart", 0.4, 0.45);
        assertThat(browser.text("#reading")).contains("quota of 1.5 CPUs used up in 60 of 60 periods");
    }

    @Test
    void zoomsIntoWhatIsDraggedOver() {
        browser.open(page, DESK, "light");
        browser.drag("#chart", 0.75, 0.95);
        double seconds = Double.parseDouble(browser.text("#shown").replaceFirst(".*, ([\\d.]+) s", "$1"));
        assertThat(seconds).isBetween(10.0, 15.0);
        assertThat(browser.texts("tbody .usage").get(0)).isEqualTo("0.520");
        browser.click("#whole");
        assertThat(browser.text("#shown")).endsWith("62.9 s");
    }

    @Test
    void showsTimesWithTheirZoneAndTheOptionThatTakesThem() {
        browser.zone("Asia/Kolkata");
        browser.open(page, DESK, "light");
        assertThat(browser.text("#origin")).contains("2026-01-01 00:00:00.0 to 00:01:02.9 UTC");
        assertThat(browser.text("#in")).isEqualTo("--in='2026-01-01 00:00:00 UTC;62900T'");
        browser.click("#local");
        assertThat(browser.text("#origin")).contains("2026-01-01 05:30:00.0 to 05:31:02.9 +05:30");
        assertThat(browser.text("#in")).isEqualTo("--in='2026-01-01 05:30:00 +05:30;62900T'");
        browser.drag("#chart", 0.75, 0.95);
        assertThat(browser.text("#reading")).startsWith("2026-01-01 05:3").contains(" +05:30 process");
    }

    @Test
    void aLongTimeInWhichNobodyRecordedIsShortInTheChart() {
        browser.open(page, DESK, "light");
        long withoutIt = pixels(0);
        browser.open(gapPage, DESK, "light");
        assertThat(pixels(0)).as("pixels of the first pool").isGreaterThan(withoutIt * 9 / 10);
        assertThat(browser.texts("tbody .userS").get(0)).isEqualTo("21.576");
        assertThat(browser.text("#origin")).contains("2026-01-01 00:00:00.0 to 00:10:59.9 UTC, 659.9 s");
        browser.drag("#chart", 0.75, 0.95);
        assertThat(browser.text("#shown")).matches("2026-01-01 00:10:4\\d.\\d to 00:10:5\\d.\\d UTC, 1[1-4].*");
    }

    @Test
    void comparesTwoWindows() {
        browser.open(page, DESK, "light");
        browser.drag("#chart", 0.1, 0.25);
        browser.click("#mark-a");
        browser.click("#whole");
        browser.drag("#chart", 0.75, 0.9);
        browser.click("#mark-b");
        browser.click("#whole");
        assertThat(browser.texts("tbody .name").get(0)).isEqualTo("worker-*");
        assertThat(browser.texts("tbody .difference").get(0)).isEqualTo("+0.240");
        assertThat(browser.texts("tbody .user").get(0)).isEqualTo("+0.240");
        assertThat(browser.texts("tbody .difference").get(1)).isEqualTo("0");
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    @Test
    void showsHostileNamesAsTextAndLongOnesCut() throws IOException {
        Path hostile = directory.resolve("hostile.html");
        MadeUp.report(directory.resolve("hostile"), hostile, MadeUp.HOSTILE_NAMES);
        browser.open(hostile, PHONE, "light");
        List<String> names = new ArrayList<>(MadeUp.HOSTILE_NAMES);
        names.replaceAll(name -> name.length() > 200 ? name.substring(0, 200) + "…" : name);
        assertThat(browser.texts("tbody .name")).containsExactlyInAnyOrderElementsOf(names);
        assertThat(browser.complaints()).as("console").isEmpty();
        assertThat(browser.evaluate("return document.title")).isEqualTo("threadclock report");
        assertThat((Long) browser.evaluate("return document.documentElement.scrollWidth"))
                .isEqualTo(PHONE);
        assertThat(Files.size(hostile)).as("bytes of the page").isLessThan(1 << 16);
    }
}
