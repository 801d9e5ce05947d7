// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A document as it is written, from its beginning to its end. The one place where text becomes HTML. */
final class Html {
    private final StringBuilder document = new StringBuilder();

    /** @param attributes names and values in turn */
    Html open(String tag, String... attributes) {
        document.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            document.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(attributes[i + 1]))
                    .append('"');
        }
        document.append('>');
        return this;
    }

    Html close(String tag) {
        document.append("</").append(tag).append(">\n");
        return this;
    }

    Html text(String text) {
        document.append(escape(text));
        return this;
    }

    Html element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close(tag);
    }

    /** Nothing if there are none. */
    Html list(String kind, List<String> items) {
        if (items.isEmpty()) {
            return this;
        }
        open("ul", "class", kind);
        items.forEach(item -> element("li", item));
        return close("ul");
    }

    Html doctype() {
        document.append("<!DOCTYPE html>\n");
        return this;
    }

    /**
     * A script or a style sheet, which HTML does not unescape.
     *
     * @throws IllegalArgumentException if the content would end the element
     */
    Html verbatim(String tag, String content, String... attributes) {
        if (content.toLowerCase(Locale.ROOT).contains("</" + tag)) {
            throw new IllegalArgumentException("</" + tag + " within a " + tag);
        }
        open(tag, attributes);
        document.append('\n').append(content).append('\n');
        return close(tag);
    }

    /** Nothing is left out where a fact is missing: a reader is to see that it is. */
    private static String escape(String text) {
        return Objects.requireNonNullElse(text, "not recorded")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Override
    public String toString() {
        return document.toString();
    }
}
