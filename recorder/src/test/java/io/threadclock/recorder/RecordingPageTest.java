// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page's data, without a browser. */
class RecordingPageTest {
    private static final String BEGIN = "<script type=\"application/json\" id=\"data\">";
    private static final String END = "</script>";

    @TempDir
    Path directory;

    @Test
    void hasNamesAsTheyAreWhateverTheyAre() throws IOException {
        List<String> names = new ArrayList<>(MadeUp.HOSTILE_NAMES);
        names.replaceAll(name -> name.length() > 200 ? name.substring(0, 200) + "…" : name);
        names.add(MadeUp.TWO_LINES);
        assertThat(namesOnPage(names)).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void cutsNoCharacterInTwo() throws IOException {
        String almost = "x".repeat(199);
        assertThat(namesOnPage(List.of(almost + "\ud83d\ude00\ud83d\ude00"))).containsExactly(almost + "…");
    }

    @Test
    void letsABrowserRunItsOwnScriptsAlone() throws Exception {
        namesOnPage(List.of("main"));
        String page = Files.readString(directory.resolve("report.html"));
        String allowed = page.replaceFirst("(?s).*script-src ([^;]*);.*", "$1");
        String[] scripts = page.split("<script>");
        assertThat(allowed.split(" ")).hasSize(scripts.length - 1);
        for (int i = 1; i < scripts.length; i++) {
            byte[] script = scripts[i].substring(0, scripts[i].indexOf(END)).getBytes(StandardCharsets.UTF_8);
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(script);
            assertThat(allowed).contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
        }
    }

    @Test
    void leavesNothingBesideAPlaceThatCannotBeWritten() throws IOException {
        Path taken = Files.createDirectories(directory.resolve("taken/file")).getParent();
        MadeUp.refused(() -> MadeUp.report(directory.resolve("data"), taken, List.of("main")), "--output");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files)
                    .extracting(file -> file.getFileName().toString())
                    .containsExactlyInAnyOrder("data", "taken");
        }
    }

    private List<String> namesOnPage(List<String> threadNames) throws IOException {
        Path file = directory.resolve("report.html");
        MadeUp.report(directory.resolve("data"), file, threadNames);
        String page = Files.readString(file);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        return new ObjectMapper()
                .readTree(page.substring(begin, page.indexOf(END, begin)))
                .get("threads")
                .findValuesAsText("name");
    }
}
