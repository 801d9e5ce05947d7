// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How good what was found is, from the best to the worst. */
public enum Level {
    /** Not used here, and no loss. */
    NONE("faint"),
    /** As good as it can be. */
    GREEN("green"),
    /** It works; something would make it better, or it is worth knowing. */
    YELLOW("yellow"),
    /** Figures are slow or wrong because of it; the remedy is told. */
    RED("red,bold");

    private final String style;

    Level(String style) {
        this.style = style;
    }

    /** As picocli's markup names it. */
    String style() {
        return style;
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
