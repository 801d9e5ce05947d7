// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The style sheet's colours, by the contrast that WCAG 2.1 asks for: 4.5 for text, 3 for lines of a chart. */
class ThemeTest {
    private static final double TEXT = 4.5;
    private static final double LINES = 3;
    private static final Pattern COLOUR = Pattern.compile("--([a-z0-9-]+): #([0-9a-f]{6});");

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void hasTextThatStandsOutFromItsGround(int theme) {
        Map<String, Integer> colours = theme(theme);
        for (String ground : new String[] {"ground", "raised"}) {
            for (String text : new String[] {"ink", "quiet", "link", "bad", "tone-threadclock"}) {
                assertThat(contrast(colours.get(text), colours.get(ground)))
                        .as(text + " on " + ground)
                        .isGreaterThanOrEqualTo(TEXT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void hasLinesThatStandOutFromTheGround(int theme) {
        Map<String, Integer> colours = theme(theme);
        assertThat(colours).hasSizeGreaterThan(15);
        colours.forEach((name, colour) -> {
            if (name.startsWith("tone-")) {
                assertThat(contrast(colour, colours.get("ground"))).as(name).isGreaterThanOrEqualTo(LINES);
            }
        });
    }

    /** @param number 0: light, 1: dark; in the order of the style sheet */
    private static Map<String, Integer> theme(int number) {
        String block = Page.resource("page.css").split(":root \\{")[number + 1];
        Map<String, Integer> colours = new HashMap<>();
        Matcher matcher = COLOUR.matcher(block.substring(0, block.indexOf('}')));
        while (matcher.find()) {
            colours.put(matcher.group(1), Integer.parseInt(matcher.group(2), 16));
        }
        return colours;
    }

    private static double contrast(int one, int other) {
        double lighter = Math.max(luminance(one), luminance(other));
        double darker = Math.min(luminance(one), luminance(other));
        return (lighter + 0.05) / (darker + 0.05);
    }

    private static double luminance(int colour) {
        return 0.2126 * linear(colour >> 16 & 255) + 0.7152 * linear(colour >> 8 & 255) + 0.0722 * linear(colour & 255);
    }

    private static double linear(int part) {
        double share = part / 255.0;
        return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
