// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.Printable;
import io.threadclock.cli.process.Target;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What tells a JVM from others. It has nothing that depends on who asks, and another start of a JVM has another one.
 *
 * @param program short, and one line of visible characters, as all texts here
 * @param labels of each of its series
 * @param resource attributes by OpenTelemetry's semantic conventions, beside the number {@code process.pid}
 * @param start of the process, which the times of its threads count from; now, if the kernel does not tell it
 */
record JvmIdentity(String program, Map<String, String> labels, Map<String, String> resource, Instant start) {
    private static final int CONTAINER_CHARACTERS = 12; // as Docker shows it
    // Docker, containerd, CRI-O and Podman write ids of containers to the path of a control group, Kubernetes those of
    // pods, and
    // systemd the names of units, of which this is the innermost one that is no container.
    private static final Pattern CONTAINER = Pattern.compile(".*[/:-]([0-9a-f]{64})(?:\\.scope)?(?:/.*)?");
    private static final Pattern POD =
            Pattern.compile(".*[/-]pod([0-9a-f]{8}(?:[-_]?[0-9a-f]{4}){3}[-_]?[0-9a-f]{12})(?:\\.slice)?(?:[/:].*)?");
    private static final Pattern UNIT =
            Pattern.compile(".*/((?![^/]*[0-9a-f]{64}\\.scope)[^/]+\\.(?:service|scope))(?:/.*)?");

    static JvmIdentity of(Target target) {
        String groups = target.files().text("cgroup").orElse("");
        String container = find(CONTAINER, groups);
        String pod = find(POD, groups).replace('_', '-');
        String program = beginning(Bounds.JVM_LABEL_CHARACTERS, target.program());
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("jvm", program);
        labels.put("pid", Integer.toString(target.pid()));
        labels.put("container", beginning(CONTAINER_CHARACTERS, container));
        labels.put("pod", pod);
        labels.put("unit", beginning(Bounds.JVM_LABEL_CHARACTERS, find(UNIT, groups)));
        labels.values().removeIf(String::isEmpty);
        return new JvmIdentity(program, labels, resource(program, container, pod, target), start(target));
    }

    /** @param groups the content of {@code /proc/PID/cgroup}, of the first or the second version */
    private static String find(Pattern pattern, String groups) {
        return groups.lines()
                .map(pattern::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1))
                .findFirst()
                .orElse("");
    }

    private static Map<String, String> resource(String program, String container, String pod, Target target) {
        Map<String, String> resource = new LinkedHashMap<>();
        resource.put("service.name", program);
        resource.put("service.instance.id", instance(target));
        resource.put("host.name", target.proc().hostName());
        resource.put("process.runtime.name", Printable.line(target.runtimeName().orElse("")));
        resource.put(
                "process.runtime.version",
                Printable.line(target.runtimeVersion().orElse("")));
        resource.put("container.id", container);
        resource.put("k8s.pod.uid", pod);
        resource.values().removeIf(String::isEmpty);
        return resource;
    }

    private static Instant start(Target target) {
        return ProcessHandle.of(target.pid())
                .flatMap(process -> process.info().startInstant())
                .orElseGet(Instant::now);
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
