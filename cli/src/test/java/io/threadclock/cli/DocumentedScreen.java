// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A screen that a page of docs shows, between {@code <!-- NAME -->} and {@code <!-- end -->};
 * -Dthreadclock.golden=write puts it there.
 */
public final class DocumentedScreen {
    public static final Path HOME = Path.of(System.getProperty("threadclock.home", ".."));
    public static final boolean WRITES = "write".equals(System.getProperty("threadclock.golden"));

    private DocumentedScreen() {}

    /** @param screen each line ends in a newline */
    public static void check(String pageName, String name, String screen) throws IOException {
        Path page = HOME.resolve(pageName);
        String text = Files.readString(page);
        String begin = "<!-- " + name + " -->\n";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf("<!-- end -->", from);
        assertThat(text).as("%s, with a place for a screen", page).contains(begin, "<!-- end -->");
        String block = "```\n" + screen + "```\n";
        if (WRITES) {
            Files.writeString(page, text.substring(0, from) + block + text.substring(to));
        }
        assertThat(Files.readString(page)).contains(begin + block);
    }
}
