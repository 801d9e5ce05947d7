// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DashboardTest {
    private static final Pattern METRIC = Pattern.compile("(threadclock|executor)_[a-z_]+");
    private static final Pattern VARIABLE = Pattern.compile("(?<=\\$)[a-z]+");

    private final JsonNode dashboard = Shipped.dashboard();

    @Test
    void givesEachPanelANumberAndAPlaceOfItsOwn() {
        Set<Integer> ids = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            assertThat(ids.add(panel.get("id").asInt()))
                    .as("number of %s is new", panel.get("title"))
                    .isTrue();
            JsonNode place = panel.get("gridPos");
            int right = place.get("x").asInt() + place.get("w").asInt();
            assertThat(right).as("right edge of %s", panel.get("title")).isLessThanOrEqualTo(24);
            for (int x = place.get("x").asInt(); x < right; x++) {
                for (int y = place.get("y").asInt();
                        y < place.get("y").asInt() + place.get("h").asInt();
                        y++) {
                    assertThat(taken.add(x + "," + y))
                            .as("%s is alone at %d,%d", panel.get("title"), x, y)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void asksForMetersThatThereAreAndForAllThatAreOfUse() {
        Set<String> names = Arrays.stream(ThreadClockMeter.values())
                .map(MetricsPageTest::prometheusName)
                .collect(Collectors.toSet());
        Set<String> asked = matches(METRIC, dashboard.findValuesAsText("expr").toString());
        assertThat(names).containsAll(asked);
        names.removeAll(asked);
        assertThat(names)
                .as("names that no panel has")
                .containsExactlyInAnyOrder(
                        "threadclock_supported",
                        "threadclock_resyncs_lost_total",
                        "executor_cpu_unmeasured_tasks_total");
    }

    @Test
    void usesVariablesThatItHas() {
        Set<String> names = Set.copyOf(dashboard.at("/templating/list").findValuesAsText("name"));
        Set<String> used = matches(VARIABLE, dashboard.findValuesAsText("expr").toString());
        assertThat(names).containsAll(used);
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }
}
