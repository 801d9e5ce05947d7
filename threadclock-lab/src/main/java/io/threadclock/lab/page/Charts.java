// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** All charts of the page: the places where the script draws them, and what it draws. */
final class Charts {
    private final List<Chart> charts = new ArrayList<>();

    /** A place for it here, which says what is to be seen. */
    void write(Html html, Chart chart) {
        String number = Integer.toString(charts.size());
        charts.add(chart);
        html.open("figure", "class", "chart", "data-chart", number);
        html.element("figcaption", chart.title());
        html.element("div", "", "class", "plot", "role", "img", "aria-label", chart.summary());
        html.open("div", "class", "legend").close("div");
        html.close("figure");
    }

    boolean isEmpty() {
        return charts.isEmpty();
    }

    /** For a script element: no text in it can end that. */
    String json() {
        try {
            return new ObjectMapper()
                    .writeValueAsString(charts)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026");
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("Writing the charts as JSON failed.", failure);
        }
    }
}
