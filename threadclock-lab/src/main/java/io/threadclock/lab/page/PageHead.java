// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Origin;
import java.util.Objects;

/** How every page begins: up to what is seen first, its title and where its figures are from. */
record PageHead(String title, Origin origin) {
    /** Nothing is loaded, whatever a text in the results says: links are followed, not fetched. */
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

    void write(Html html) {
        html.doctype().open("html", "lang", "en");
        writeHead(html);
        html.open("body");
        writeHeader(html);
    }

    private void writeHead(Html html) {
        html.open("head").open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
        html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.open("meta", "name", "color-scheme", "content", "light dark");
        html.element("title", title);
        html.verbatim("style", new PageResource("uplot/uPlot.min.css").text());
        html.verbatim("style", new PageResource("page.css").text());
        html.close("head");
    }

    private void writeHeader(Html html) {
        RunFacts facts = new RunFacts(origin);
        html.open("header").element("h1", title);
        String kernel = Objects.requireNonNullElse(facts.kernel(), "kernel not recorded");
        html.element("p", facts.machine() + " · " + kernel + " · " + day());
        html.close("header");
    }

    private String day() {
        String startedAt = origin.startedAt();
        return startedAt == null ? "date not recorded" : startedAt.replaceFirst("T.*", "");
    }
}
