// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.Printable;
import io.threadclock.cli.process.Target;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What tells a JVM from others. It has nothing that depends on who asks, and another start of a JVM has another one.
 *
 * @param program short, and one line of visible characters, as all texts here
 * @param labels of each of its series
 * @param resource attributes by OpenTelemetry's semantic conventions, beside the number {@code process.pid}
 */
record JvmIdentity(String program, Map<String, String> labels, Map<String, String> resource) {
    private static final int CONTAINER_CHARACTERS = 12; // as Docker shows it

    static JvmIdentity of(Target target) {
        GroupPath group = GroupPath.of(target.files().text("cgroup").orElse(""));
        String program = beginning(Bounds.JVM_LABEL_CHARACTERS, target.program());
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("jvm", program);
        labels.put("pid", Integer.toString(target.pid()));
        labels.put("container", beginning(CONTAINER_CHARACTERS, group.container()));
        labels.put("pod", group.pod());
        labels.put("unit", beginning(Bounds.JVM_LABEL_CHARACTERS, group.unit()));
        labels.values().removeIf(String::isEmpty);
        return new JvmIdentity(program, labels, resource(program, group, target));
    }

    private static Map<String, String> resource(String program, GroupPath group, Target target) {
        Map<String, String> resource = new LinkedHashMap<>();
        resource.put("service.name", program);
        resource.put("service.instance.id", instance(target));
        resource.put("host.name", target.proc().hostName());
        resource.put(
                "process.runtime.name",
                target.runtimeName().map(Printable::line).orElse(""));
        resource.put(
                "process.runtime.version",
                target.runtimeVersion().map(Printable::line).orElse(""));
        resource.put("container.id", group.container());
        resource.put("k8s.pod.uid", group.pod());
        resource.values().removeIf(String::isEmpty);
        return resource;
    }

    private static String instance(Target target) {
        String boot = KernelFiles.SYSTEM.text("proc/sys/kernel/random/boot_id").strip();
        String start = boot + " " + target.pid() + " " + target.startTicks();
        return UUID.nameUUIDFromBytes(start.getBytes(StandardCharsets.US_ASCII)).toString();
    }

    private static String beginning(int most, String text) {
        return Printable.line(text.substring(0, Math.min(most, text.length())));
    }
}
