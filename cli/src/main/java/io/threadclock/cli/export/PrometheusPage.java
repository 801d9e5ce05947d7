// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.threadclock.cli.export.ExportedMetric.Figure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All figures of all JVMs, made anew for each scrape, so that nothing is left of JVMs that have ended. */
record PrometheusPage(Exporter exporter) implements MultiCollector {
    private record Point(Labels labels, double value) {}

    @Override
    public MetricSnapshots collect() {
        Map<ExportedMetric, List<Point>> points = new EnumMap<>(ExportedMetric.class);
        exporter.look().forEach(jvm -> {
            Map<String, String> its = jvm.identity().labels();
            Labels labels = Labels.of(List.copyOf(its.keySet()), List.copyOf(its.values()));
            jvm.figures().forEach(figure -> points.computeIfAbsent(figure.metric(), first -> new ArrayList<>())
                    .add(new Point(of(figure, labels), figure.value())));
        });
        List<MetricSnapshot> all = new ArrayList<>();
        points.forEach((metric, its) -> all.add(snapshot(metric, its)));
        return new MetricSnapshots(all);
    }

    private static Labels of(Figure figure, Labels labels) {
        Labels all = labels;
        for (int i = 0; i < figure.of().size(); i++) {
            all = all.add(figure.metric().attributes.get(i).label, figure.of().get(i));
        }
        return all;
    }

    private static MetricSnapshot snapshot(ExportedMetric metric, List<Point> points) {
        MetricMetadata metadata = new MetricMetadata(metric.prometheus(), metric.description);
        return metric.isCounter()
                ? new CounterSnapshot(
                        metadata,
                        points.stream()
                                .map(point -> new CounterDataPointSnapshot(point.value, point.labels, null, 0))
                                .toList())
                : new GaugeSnapshot(
                        metadata,
                        points.stream()
                                .map(point -> new GaugeDataPointSnapshot(point.value, point.labels, null))
                                .toList());
    }
}
