// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChartsTest {
    private static final String HOSTILE = "</script><!-- & \u2028";

    private final Charts charts = new Charts();

    @Test
    void cannotEndTheScriptTheyAreIn() {
        charts.write(new Html(), chart(HOSTILE));
        assertThat(charts.json()).doesNotContain("<").doesNotContain(">").doesNotContain("&");
    }

    @Test
    void keepTheirTexts() throws Exception {
        charts.write(new Html(), chart(HOSTILE));
        assertThat(read().at("/0/lines/0/name").asText()).isEqualTo(HOSTILE);
    }

    @Test
    void keepTheGapsInALine() throws Exception {
        charts.write(new Html(), chart("line"));
        assertThat(read().at("/0/lines/0/amounts").toString()).isEqualTo("[1.5,null]");
    }

    @Test
    void tellWhatIsToBeSeen() {
        Html html = new Html();
        charts.write(html, chart("line"));
        assertThat(html.toString()).contains("role=\"img\" aria-label=\"a summary\"");
    }

    private JsonNode read() throws Exception {
        return new ObjectMapper().readTree(charts.json());
    }

    private static Chart chart(String name) {
        List<Double> amounts = Arrays.asList(1.5, null);
        Chart.Line line = new Chart.Line(name, LineStyle.of("stock", ""), amounts, null, null);
        LogScale scale = new LogScale(1, 10);
        List<Chart.Tick> ticks = List.of(new Chart.Tick(0, "1"));
        return new Chart(
                "title",
                "a summary",
                "threads",
                "ns",
                List.of(0.0, 1.0),
                List.of("1", "2"),
                ticks,
                scale,
                scale.ticks(),
                List.of(line));
    }
}
