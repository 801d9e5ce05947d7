// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A Chromium without a window, for tests of pages. It and chromedriver must be installed on the machine, whose
 * /etc/hosts must name localhost: without that chromedriver does not reach Chromium (seen with version 150 in a root
 * directory made by debootstrap, which has no such file).
 */
public final class Browser implements AutoCloseable {
    private static final List<String> PROGRAMS = List.of("chromium", "chromedriver");
    private static final String LOCALHOST = "localhost in /etc/hosts";
    private static final int HEIGHT = 1000;
    /** On a busy machine it needs longer to draw than the default of 30 s, and to start than 20 s. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int STARTS = 5;

    private final ChromeDriver driver;

    /** @param profile an empty directory, for Chromium's own files */
    public Browser(Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium").orElseThrow().toFile());
        // Runs without its sandbox, for which a container has no privilege. /dev/shm is small there.
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars");
        options.addArguments("--user-data-dir=" + profile);
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logging);
        // If this is set, Selenium does not look for a driver, and does not use the network for it.
        System.setProperty(
                ChromeDriverService.CHROME_DRIVER_EXE_PROPERTY,
                program("chromedriver").orElseThrow().toString());
        driver = started(options);
        driver.manage().timeouts().scriptTimeout(PATIENCE);
    }

    private static ChromeDriver started(ChromeOptions options) {
        for (int start = 1; ; start++) {
            try {
                return new ChromeDriver(options);
            } catch (WebDriverException late) {
                if (start == STARTS) {
                    throw late;
                }
            }
        }
    }

    /** The missing ones of its two programs, and of the name by which one reaches the other. */
    public static List<String> missing() {
        Stream<String> programs = PROGRAMS.stream().filter(name -> program(name).isEmpty());
        return Stream.concat(programs, namesLocalhost(Path.of("/etc/hosts")) ? Stream.empty() : Stream.of(LOCALHOST))
                .toList();
    }

    private static boolean namesLocalhost(Path hosts) {
        try {
            return Files.readAllLines(hosts).stream()
                    .anyMatch(line -> line.matches("\\s*[0-9a-f:.]+\\s.*\\blocalhost\\b.*"));
        } catch (IOException absent) {
            return false;
        }
    }

    private static Optional<Path> program(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page, and forgets earlier complaints. */
    public void open(Path page, int width, String colorScheme) {
        complaints();
        emulate(colorScheme);
        resize(width);
        driver.get(page.toUri().toString());
        awaitFrames();
    }

    /** @param colorScheme the scheme that the page is told that its reader prefers, "light" or "dark" */
    private void emulate(String colorScheme) {
        List<Map<String, String>> features = List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme));
        command("Emulation.setEmulatedMedia", Map.of("media", "screen", "features", features));
        awaitFrames();
    }

    /** @param width of the visible part, in pixels */
    private void resize(int width) {
        Map<String, Object> metrics = Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false);
        command("Emulation.setDeviceMetricsOverride", metrics);
        awaitFrames();
    }

    /** @param id of the time zone of the reader's machine */
    public void zone(String id) {
        command("Emulation.setTimezoneOverride", Map.of("timezoneId", id));
    }

    public void click(String selector) {
        element(selector).click();
        awaitFrames();
    }

    public void type(String selector, String text) {
        element(selector).sendKeys(text);
        awaitFrames();
    }

    /** Drags over the element, from one part of its width to another. */
    public void drag(String selector, double from, double to) {
        WebElement element = element(selector);
        int width = element.getSize().getWidth();
        int begin = (int) (width * (from - 0.5));
        int end = (int) (width * (to - 0.5));
        new Actions(driver)
                .moveToElement(element, begin, 0)
                .clickAndHold()
                .moveToElement(element, end, 0)
                .release()
                .perform();
        awaitFrames();
    }

    public String text(String selector) {
        return element(selector).getText();
    }

    public List<String> texts(String selector) {
        return driver.findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    private WebElement element(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    public Object evaluate(String script) {
        return driver.executeScript(script);
    }

    /** Returns when two frames have been drawn, so that earlier changes are on the screen. */
    public void awaitFrames() {
        driver.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
    }

    /** The page's complaints since the last call. */
    public List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::toString)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }

    private Map<String, Object> command(String name, Map<String, Object> parameters) {
        return driver.executeCdpCommand(name, parameters);
    }
}
