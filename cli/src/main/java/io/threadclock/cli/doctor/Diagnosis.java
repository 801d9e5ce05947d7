// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * All findings.
 *
 * @param title the machine or JVM that was examined
 * @param summary the last lines
 * @param jvm null if only the machine was examined
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Diagnosis(
        String title,
        MachineFacts machine,
        ProcessLimits confines,
        Examination examined,
        JvmFacts jvm,
        List<Finding> findings,
        String summary) {
    /** Grows when a field is removed or changes its meaning. New fields may come at any time. */
    private static final int FORMAT = 2;

    private static final int FIRST_JDK = 8;
    private static final int LAST_JDK = 26;

    /** The diagnosis of this machine, for a process with the limits of this one. */
    public static Diagnosis ofMachine(MachineFacts machine, ProcessLimits confines, Examination examined) {
        return new Diagnosis(
                machine.line(),
                machine,
                confines,
                examined,
                null,
                new MachineFindings(machine, confines, examined).all(),
                "The JDK's own ways cost here: /proc (JDK 8 to 25) "
                        + UserTimeCall.of(FIRST_JDK, examined).cost() + ", ticks (26) "
                        + UserTimeCall.of(LAST_JDK, examined).cost()
                        + ". For a JVM: threadclock doctor PID");
    }

    /** The diagnosis of a program that is no JVM, with its own limits. */
    public static Diagnosis ofProgram(
            MachineFacts machine, ProcessLimits confines, Examination examined, Target target) {
        List<Finding> findings = new ArrayList<>(new MachineFindings(machine, confines, examined).all());
        findings.add(MachineFindings.preload(target));
        return new Diagnosis(
                "process " + target.pid() + ", which is no JVM, on " + machine.line(),
                machine,
                confines,
                examined,
                null,
                findings,
                "Seen from outside: nothing was done to it. Whether and how often it reads thread clocks cannot be told"
                        + " from there.");
    }

    /** The diagnosis of a JVM, with its own limits. */
    public static Diagnosis ofJvm(MachineFacts machine, Examination examined, JvmFacts jvm) {
        JvmFindings findings = new JvmFindings(machine, examined, jvm);
        String done = jvm.source() == null
                ? "Seen from outside: nothing was done to it."
                : "Its agent has told its source; nothing else was done to it.";
        return new Diagnosis(
                findings.line(),
                machine,
                jvm.confines(),
                examined,
                jvm,
                findings.all(),
                done + " The machine alone: threadclock doctor");
    }

    @JsonProperty
    int format() {
        return FORMAT;
    }

    /** The worst of the findings' levels. */
    @JsonProperty
    public Level worst() {
        return findings.stream()
                .map(Finding::level)
                .max(Comparator.naturalOrder())
                .orElse(Level.NONE);
    }

    public String json() {
        try {
            return writer().writeValueAsString(this) + "\n";
        } catch (JsonProcessingException unexpected) {
            throw new IllegalStateException("a diagnosis that is no JSON", unexpected);
        }
    }

    /** Made here, because its classes take a fifth of the CPU time of a diagnosis in words. */
    private static ObjectWriter writer() {
        return JsonMapper.builder()
                .addModule(new SimpleModule().addSerializer(OptionalLong.class, optionalLong()))
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writer();
    }

    private static JsonSerializer<OptionalLong> optionalLong() {
        return new JsonSerializer<>() {
            @Override
            public void serialize(OptionalLong number, JsonGenerator json, SerializerProvider serializers)
                    throws IOException {
                if (number.isPresent()) {
                    json.writeNumber(number.getAsLong());
                } else {
                    json.writeNull();
                }
            }
        };
    }
}
