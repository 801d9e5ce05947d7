// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.cli.process.Printable;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Style;

/** A diagnosis as text: a row for each finding, its remedy below it, for a terminal of 80 columns. */
public record DiagnosisText(Ansi colours) {
    private static final int WIDTH = 80;
    private static final int LEVEL_WIDTH = 7;
    private static final int SUBJECT_WIDTH = 10;
    private static final int INDENT = LEVEL_WIDTH + SUBJECT_WIDTH;
    private static final String ARROW = "-> ";
    private static final String NOTHING = "-";

    /** The whole text; each line ends in a newline. */
    public String text(Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder();
        wrapped(diagnosis.title(), WIDTH)
                .forEach(line -> text.append(styled("bold", line)).append('\n'));
        diagnosis.findings().forEach(finding -> append(text, finding));
        wrapped(diagnosis.summary(), WIDTH).forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private void append(StringBuilder text, Finding finding) {
        String level = finding.level() == Level.NONE ? NOTHING : finding.level().toString();
        String begin = styled(finding.level().style(), level)
                + " ".repeat(LEVEL_WIDTH - level.length())
                + padded(finding.subject());
        for (String line : wrapped(finding.says(), WIDTH - INDENT)) {
            text.append(begin)
                    .append(styled(finding.level() == Level.NONE ? Level.NONE.style() : "", line))
                    .append('\n');
            begin = " ".repeat(INDENT);
        }
        begin = " ".repeat(INDENT) + ARROW;
        for (String line :
                finding.remedy().isEmpty() ? List.<String>of() : wrapped(finding.remedy(), WIDTH - begin.length())) {
            text.append(begin).append(styled("bold", line)).append('\n');
            begin = " ".repeat(begin.length());
        }
    }

    private static String padded(String subject) {
        return subject + " ".repeat(Math.max(1, SUBJECT_WIDTH - subject.length()));
    }

    /** Escapes markup in the text. */
    private String styled(String style, String text) {
        if (style.isEmpty() || !colours.enabled()) {
            return text;
        }
        IStyle[] styles = Style.parse(style);
        return Style.on(styles) + text + Style.off(styles);
    }

    /** Wraps at spaces. A longer word gets a line of its own. */
    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : Printable.line(text).split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() > 0 ? " " : "").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
