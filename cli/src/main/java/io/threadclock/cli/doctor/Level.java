// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How good a finding is, from the best to the worst. */
public enum Level {
    /** The feature is not used here, and this is no loss. */
    NONE("faint"),
    /** As good as it can be. */
    GREEN("green"),
    /** It works, but something would make it better, or it is worth knowing. */
    YELLOW("yellow"),
    /** Times are slow or wrong because of it; there is a remedy. */
    RED("red,bold");

    private final String style;

    Level(String style) {
        this.style = style;
    }

    /** The name of its style in picocli's markup. */
    String style() {
        return style;
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
