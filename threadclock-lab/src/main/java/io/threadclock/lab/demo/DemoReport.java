// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Machine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All tables of a demo, for the terminal and for the documents. */
final class DemoReport {
    private final Machine machine;
    private final String command;
    private final DemoPlan plan;
    private final List<JdkMeasurement> measurements;
    private final TickTrapTable tickTrap;

    DemoReport(
            Machine machine,
            String command,
            DemoPlan plan,
            List<JdkMeasurement> measurements,
            TickTrapMeasurement tickTrap) {
        this.machine = machine;
        this.command = command;
        this.plan = plan;
        this.measurements = measurements;
        this.tickTrap = new TickTrapTable(tickTrap);
    }

    String toText() {
        return "\n" + origin() + "\n\n" + join(sections().map(Section::toText)) + agentAccount("");
    }

    /** Every table. */
    String toMarkdown() {
        return origin() + "\n\n" + join(sections().map(Section::toMarkdown)) + agentAccount("- ");
    }

    /** The tick trap in a sentence: for a README that stays short. */
    String toShortMarkdown() {
        return tickTrap.inWords() + "\n" + origin() + "\n";
    }

    private Stream<Section> sections() {
        return Stream.of(
                LatencyTable.ofUserTime(measurements, plan.workers()).section(),
                LatencyTable.ofCpuTime(measurements, plan.workers()).section(),
                new ProgramTable(measurements, plan.workers(), plan.warm()).section(),
                new ThreadTimeTable(measurements, plan.workers()).section(),
                tickTrap.byPhase());
    }

    private String origin() {
        List<Jdk> jdks = measurements.stream().map(JdkMeasurement::jdk).toList();
        return "Measured by `" + command + "` on " + machine.describe(jdks) + ".";
    }

    private String agentAccount(String bullet) {
        StringBuilder text = new StringBuilder();
        for (JdkMeasurement measurement : measurements) {
            measurement.agentLines().forEach(line -> text.append(bullet)
                    .append(measurement.jdk().version())
                    .append(": ")
                    .append(line)
                    .append('\n'));
        }
        return text.isEmpty() ? "" : "What the agent said at the end of each program:\n\n" + text;
    }

    private static String join(Stream<String> parts) {
        return parts.collect(Collectors.joining());
    }
}
