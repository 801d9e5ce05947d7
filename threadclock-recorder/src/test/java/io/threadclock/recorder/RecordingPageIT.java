// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the page in a browser. Its pictures stay in target/report-page. Takes some ten seconds. */
@Timeout(600)
@Tag("browser")
class RecordingPageIT {
    private static final Path PICTURES = Path.of("target", "report-page");
    private static final long TENTH_US = 100_000;
    private static final int SAMPLES = 600;
    private static final int DESK = 1280;
    private static final int PHONE = 400;
    private static final String HOSTILE = MadeUp.HOSTILE_NAMES.get(1);

    /** The number of the chart's pixels that have the first tone of the present theme. */
    private static final String TONE_PIXELS =
            """
            const canvas = document.getElementById("chart");
            const tone = getComputedStyle(document.documentElement).getPropertyValue("--tone-0").trim();
            const parts = [1, 3, 5].map((at) => parseInt(tone.substr(at, 2), 16));
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let found = 0;
            for (let i = 0; i < pixels.length; i += 4) {
              if (pixels[i + 3] > 200 && parts.every((part, at) => Math.abs(pixels[i + at] - part) < 6)) found++;
            }
            return found;
            """;

    /** For each row of the table, the number of the chart's pixels that have its color. */
    private static final String ROW_PIXELS =
            """
            const canvas = document.getElementById("chart");
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return [...document.querySelectorAll("tbody tr i")].map((chip) => {
              const parts = getComputedStyle(chip).backgroundColor.match(/\\d+/g).map(Number);
              let found = 0;
              for (let i = 0; i < pixels.length; i += 4) {
                if (pixels[i + 3] > 200 && parts.every((part, at) => Math.abs(pixels[i + at] - part) < 6)) found++;
              }
              return found;
            });
            """;

    /** The strip of what was throttled is red, as the chip in the key is. */
    private static final String THROTTLED_PIXELS =
            """
            const canvas = document.getElementById("chart");
            const red = getComputedStyle(document.querySelector(".keys .throttled")).backgroundColor.match(/\\d+/g).map(Number);
            const top = Math.round((canvas.clientHeight - BOTTOM - THROTTLED / 2) * devicePixelRatio);
            const pixels = canvas.getContext("2d").getImageData(0, top, canvas.width, 1).data;
            let found = 0;
            for (let i = 0; i < pixels.length; i += 4) {
              if (red.every((part, at) => Math.abs(pixels[i + at] - part) < 6)) found++;
            }
            return found / canvas.width;
            """;

    @TempDir
    static Path directory;

    /** In a tenth of a second. */
    private static final List<Sample.PoolTimes> POOLS = List.of(
            new Sample.PoolTimes(Sample.PoolTimes.REST, "(carriers' rest)", 0, 0, 5_000_000, 200_000),
            new Sample.PoolTimes(2, "handler-*", 20, 100, 30_000_000, 1_500_000),
            new Sample.PoolTimes(3, HOSTILE, 1, 20, 15_000_000, 300_000));

    private static final String WAITS = "waits";

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
            page = record(30 * TENTH_US, "report");
            gapPage = record(TimeUnit.MINUTES.toMicros(10), "gap");
            virtualPage = recordVirtual();
            waitsPage = recordWaits();
            browser = new Browser(directory.resolve("profile"));
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    /** Records a minute of two pools: in its second half the workers do twice as much, and some time is missing. */
    private static Path record(long gapUs, String name) {
        Path data = directory.resolve(name);
        try (Store store = Store.open(data, RetentionLimits.parse("1g"))) {
            long us = MadeUp.BEGIN_US;
            for (int i = 0; i <= SAMPLES; i++) {
                store.put(sample(us, i));
                boolean isGap = i == SAMPLES / 3;
                us += isGap ? gapUs : TENTH_US;
                if (isGap) {
                    store.put(new Gap(MadeUp.JVM, us - gapUs, us, Gap.Reason.NOT_RECORDED, 0));
                }
            }
        }
        return pageOf(data, name + ".html");
    }

    /** Records two carriers for half a minute; in its second half their virtual threads are accounted. */
    private static Path recordVirtual() {
        return recordHalfAMinute("virtual", i -> carriers(MadeUp.BEGIN_US + i * TENTH_US, i, i > SAMPLES / 4));
    }

    /** The carriers use 50 ms of user time, of which the pools use 30 and 15, and main 6. */
    private static Sample carriers(long us, int number, boolean isAccounted) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        for (int i = 1; i <= 2 && number > 0; i++) {
            times.add(new Sample.ThreadTimes(i, (int) TENTH_US, 25_000_000, 1_000_000));
            names.add(new Sample.ThreadName(
                    i, 100 + i, i, "ForkJoinPool-1-worker-" + i, "ForkJoinPool-1-worker-*", "carrier"));
        }
        times.add(new Sample.ThreadTimes(3, (int) TENTH_US, 6_000_000, 0));
        names.add(new Sample.ThreadName(3, 103, 3, "main", "main", "java"));
        Sample.Whole whole = new Sample.Whole(TENTH_US, 56_000_000, 2_000_000);
        Sample its = MadeUp.sample(us, number == 0, 3, whole, times, number == 1 ? names : List.of());
        return isAccounted ? MadeUp.withPools(its, POOLS) : its;
    }

    /** Records 16 threads for half a minute. In its first third their waits are not known. */
    private static Path recordWaits() {
        return recordHalfAMinute(WAITS, i -> waiters(MadeUp.BEGIN_US + i * TENTH_US, i, i > SAMPLES / 6));
    }

    private static Path recordHalfAMinute(String name, IntFunction<Sample> samples) {
        Path data = directory.resolve(name);
        try (Store store = Store.open(data, RetentionLimits.parse("1g"))) {
            for (int i = 0; i <= SAMPLES / 2; i++) {
                store.put(samples.apply(i));
            }
            if (name.equals(WAITS)) {
                long us = MadeUp.BEGIN_US + SAMPLES / 6 * TENTH_US;
                store.put(new Throttling(MadeUp.JVM, us, us + 60 * TENTH_US, 1500, 60, 60, 2_500_000_000L));
            }
        }
        return pageOf(data, name + ".html");
    }

    private static Path pageOf(Path data, String name) {
        Path file = directory.resolve(name);
        try (RecordingReader reading = RecordingReader.open(data)) {
            new RecordingPage(reading, "").write(file);
        }
        return file;
    }

    /** Each runs for 10 ms and waits for 40; at times, importers wait for 80. */
    private static Sample waiters(long us, int number, boolean isTold) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        for (int i = 1; i <= 16; i++) {
            boolean isImporter = i > 10;
            long waitingNs = isImporter && number % 40 > 20 ? 80_000_000 : 40_000_000;
            times.add(new Sample.ThreadTimes(
                    i, (int) TENTH_US, 9_000_000, 1_000_000, isTold ? waitingNs : Sample.ThreadTimes.UNKNOWN));
            String pool = isImporter ? "import-" : "http-nio-8080-exec-";
            names.add(new Sample.ThreadName(i, 100 + i, i, pool + i, pool + "*", "java"));
        }
        Sample.Whole whole = new Sample.Whole(TENTH_US, 16 * 9_000_000, 16 * 1_000_000);
        return MadeUp.sample(us, number == 0, 16, whole, times, number == 1 ? names : List.of());
    }

    private static Sample sample(long us, int number) {
        boolean isFirst = number == 0 || number == SAMPLES / 3 + 1;
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        long factor = number > SAMPLES / 2 ? 2 : 1;
        for (int i = 1; i <= 8; i++) {
            boolean isWorker = i % 2 == 0;
            times.add(new Sample.ThreadTimes(
                    i, (int) TENTH_US, (isWorker ? 6_000_000 * factor : 4_000_000), isWorker ? 1_000_000 : 3_000_000));
            String pool = isWorker ? "worker-" : "http-nio-8080-exec-";
            names.add(new Sample.ThreadName(i, 100 + i, i, pool + i, pool + "*", "java"));
        }
        names.add(new Sample.ThreadName(9, 109, 9, HOSTILE, HOSTILE, "java"));
        times.add(new Sample.ThreadTimes(9, (int) TENTH_US, 500_000, 0));
        long user = 4 * 6_000_000 * factor + 4 * 4_000_000 + 500_000;
        Sample.Whole whole = new Sample.Whole(TENTH_US, user, 16_000_000);
        return MadeUp.sample(us, isFirst, 9, whole, times, isFirst ? names : List.of());
    }

    @ParameterizedTest
    @CsvSource({DESK + ", light", DESK + ", dark", PHONE + ", light", PHONE + ", dark"})
    void isReadableAtThisWidthInThisTheme(int width, String theme) throws IOException {
        for (Path each : List.of(page, virtualPage, waitsPage)) {
            browser.open(each, width, theme);
            browser.screenshot(PICTURES.resolve(width + "-" + theme + "-" + each.getFileName() + ".png"));
            assertThat(browser.complaints()).as("console").isEmpty();
            assertThat((Long) browser.evaluate("return document.documentElement.scrollWidth"))
                    .isEqualTo(width);
        }
        browser.open(page, width, theme);
        assertThat((Long) browser.evaluate(TONE_PIXELS))
                .as("pixels of the first pool")
                .isGreaterThan(width * 10L);
    }

    @Test
    void sumsPoolsUpAndTakesThemApart() {
        browser.open(page, DESK, "light");
        assertThat(browser.texts("tbody .name")).containsExactly("worker-*", "http-nio-8080-exec-*", HOSTILE);
        // 299 × 4 × 6 ms, 300 × 4 × 12 ms
        assertThat(browser.texts("tbody .userS").get(0)).isEqualTo("21.576");
        assertThat(browser.text("tfoot .threads")).isEqualTo("9");
        browser.click("#by-thread");
        assertThat(browser.texts("tbody .name")).hasSize(9).contains("worker-2", "http-nio-8080-exec-7");
    }

    @Test
    void leavesOutOfPercentilesWhatWasNotRecorded() {
        browser.open(page, DESK, "light");
        browser.type("#filter", "http");
        assertThat(browser.texts("tbody .p50")).containsExactly("0.280");
        assertThat(browser.texts("tbody .p99")).containsExactly("0.280");
        assertThat(browser.texts("tbody .usage")).containsExactly("0.280");
    }

    @Test
    void showsVirtualThreadsBelowTheirCarriersWithTheCarriersRest() {
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
    }

    @Test
    void chartsVirtualThreadsInPlaceOfTheirCarriers() throws IOException {
        browser.open(virtualPage, DESK, "light");
        List<?> all = (List<?>) browser.evaluate(ROW_PIXELS);
        assertThat((Long) all.get(0))
                .as("pixels of carriers before their threads were accounted")
                .isGreaterThan(10_000);
        browser.drag("#chart", 0.6, 0.9);
        browser.screenshot(PICTURES.resolve("virtual.png"));
        List<?> later = (List<?>) browser.evaluate(ROW_PIXELS);
        assertThat((Long) later.get(0)).as("pixels of carriers").isZero();
        assertThat((Long) later.get(1) / (double) (Long) later.get(2))
                .as("pixels of 30 ms / pixels of 15 ms")
                .isBetween(1.8, 2.2);
        assertThat(browser.texts("tbody .mounts")).containsExactly("", "1,000.0", "200.0", "", "");
    }

    @Test
    void waitsStandAboveCpuTimeOnAScaleOfTheirOwnUntilTheyAreHidden() {
        browser.open(waitsPage, DESK, "light");
        assertThat(browser.texts("tbody .name")).containsExactly("http-nio-8080-exec-*", "import-*");
        // 200 × 10 × 40 ms; 6 × (105 × 40 ms + 95 × 80 ms)
        assertThat(browser.texts("tbody .waitingS")).containsExactly("80.000", "70.800");
        assertThat(browser.text("tfoot .waitingS")).isEqualTo("150.800");
        long withWaits = (Long) browser.evaluate(TONE_PIXELS);
        browser.click("#waiting");
        assertThat((Long) browser.evaluate(TONE_PIXELS))
                .as("pixels of CPU time where it has all the height")
                .isBetween(withWaits + 1, 2 * withWaits);
    }

    @Test
    void waitsThatNobodyToldAreNotZero() {
        browser.open(waitsPage, DESK, "light");
        browser.drag("#chart", 0.1, 0.25);
        assertThat(browser.texts("tbody .waitingS")).containsExactly("?", "?");
        browser.open(page, DESK, "light");
        assertThat(browser.texts("thead .waitingS")).isEmpty();
        assertThat(browser.texts(".of-waiting:not([hidden])")).isEmpty();
    }

    /** 6 s of 30 s, without the scale at the left. */
    @Test
    void aTimeInWhichTheQuotaWasUsedUpIsMarked() {
        browser.open(waitsPage, DESK, "light");
        assertThat((Double) browser.evaluate(THROTTLED_PIXELS)).isBetween(0.15, 0.21);
        assertThat(browser.text("#notes")).contains("kept threads waiting for 2.5 s");
        browser.drag("#chart", 0.4, 0.45);
        assertThat(browser.text("#reading")).contains("quota of 1.5 CPUs used up in 60 of 60 periods");
        browser.open(page, DESK, "light");
        assertThat(browser.texts(".of-throttling:not([hidden])")).isEmpty();
    }

    @Test
    void filtersByName() {
        browser.open(page, DESK, "light");
        browser.type("#filter", "WORKER");
        assertThat(browser.texts("tbody .name")).containsExactly("worker-*");
        assertThat(browser.texts("tfoot td")).isEmpty();
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
    void aLongTimeInWhichNobodyRecordedIsShortInTheChart() throws IOException {
        browser.open(page, DESK, "light");
        long withoutIt = (Long) browser.evaluate(TONE_PIXELS);
        browser.open(gapPage, DESK, "light");
        browser.screenshot(PICTURES.resolve("gap.png"));
        assertThat((Long) browser.evaluate(TONE_PIXELS))
                .as("pixels of the first pool")
                .isGreaterThan(withoutIt * 9 / 10);
        assertThat(browser.texts("tbody .userS").get(0)).isEqualTo("21.576");
        assertThat(browser.text("#origin")).contains("2026-01-01 00:00:00.0 to 00:10:59.9 UTC, 659.9 s");
        browser.drag("#chart", 0.75, 0.95);
        assertThat(browser.text("#shown")).matches("2026-01-01 00:10:4\\d.\\d to 00:10:5\\d.\\d UTC, 1[1-4].*");
    }

    @Test
    void comparesTwoWindows() throws IOException {
        browser.open(page, DESK, "light");
        browser.drag("#chart", 0.1, 0.25);
        browser.click("#mark-a");
        browser.click("#whole");
        browser.drag("#chart", 0.75, 0.9);
        browser.click("#mark-b");
        browser.click("#whole");
        browser.screenshot(PICTURES.resolve("compared.png"));
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
        browser.screenshot(PICTURES.resolve("hostile.png"));
        List<String> names = new ArrayList<>(MadeUp.HOSTILE_NAMES);
        names.replaceAll(name -> name.length() > 200 ? name.substring(0, 200) + "…" : name);
        assertThat(browser.texts("tbody .name")).containsExactlyInAnyOrderElementsOf(names);
        assertThat(browser.complaints()).as("console").isEmpty();
        assertThat(browser.evaluate("return document.title")).isEqualTo("threadclock report");
        assertThat((Long) browser.evaluate("return document.documentElement.scrollWidth"))
                .isEqualTo(PHONE);
        assertThat(Files.size(hostile)).as("bytes of the page").isLessThan(1 << 16);
    }

    @Test
    void loadsNothing() {
        browser.open(page, DESK, "light");
        assertThat((List<?>) browser.evaluate("return performance.getEntriesByType('resource').map((one) => one.name)"))
                .isEmpty();
    }
}
