// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.LibraryFile;
import io.threadclock.cli.attach.SourceNames;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The agent's library, and the settings of its clock: the options of {@code -agentpath}. */
final class AgentOptions {
    @Option(
            names = "--source",
            paramLabel = "SOURCE",
            converter = Source.class,
            completionCandidates = Sources.class,
            description =
                    "Where CPU time comes from: ${COMPLETION-CANDIDATES}. Default: the best source that works here.")
    private String source;

    @Option(
            names = "--split",
            paramLabel = "SPLIT",
            converter = SplitOption.class,
            completionCandidates = SplitOption.Names.class,
            description =
                    "How CPU time is split into user and system time: ${COMPLETION-CANDIDATES}. sampled takes a sample"
                            + " every " + SplitOption.PERIOD_LEAST + " of CPU time; sampled:1ms every 1ms, up to "
                            + SplitOption.PERIOD_MOST + ". Default: smoothed.")
    private String split;

    @Option(names = "--strict", description = "Extrapolate for 1 ms at most, instead of 4 ms.")
    private boolean strict;

    @Option(
            names = "--virtual",
            description = "Measure each virtual thread that is made from now on (JDK 21 and newer). It needs JVMTI,"
                    + " which makes virtual threads switch more slowly until the JVM ends.")
    private boolean measuresVirtual;

    @Option(
            names = "--stats",
            description = "Count every read, and print the counts on the JVM's standard error at detach.")
    private boolean stats;

    @Mixin
    private LibraryOption agent;

    /** The library of the agent. */
    LibraryFile library() {
        return agent.library();
    }

    /** The settings in the form that the agent reads; empty: the defaults. */
    String text() {
        StringJoiner text = new StringJoiner(",");
        if (source != null) {
            text.add("source=" + source);
        }
        if (split != null) {
            text.add("split=" + split);
        }
        if (strict) {
            text.add("strict");
        }
        if (stats) {
            text.add("stats");
        }
        if (measuresVirtual) {
            text.add("virtual");
        }
        return text.toString();
    }

    /** Whether virtual threads are to be measured. */
    boolean measuresVirtual() {
        return measuresVirtual;
    }

    /**
     * The source that was asked for by name. An agent that attached has it in use. Empty for {@code auto}, which
     * chooses one.
     */
    Optional<String> namedSource() {
        return Optional.ofNullable(source).filter(named -> !named.equals(SourceNames.AUTO));
    }

    /** A source by its name, in upper or lower case. */
    private static final class Source implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            String name = text.toLowerCase(Locale.ROOT);
            if (!SourceNames.ALL.contains(name)) {
                throw new TypeConversionException(
                        "expected one of " + SourceNames.ALL + " (case-insensitive) but was '" + text + "'");
            }
            return name;
        }
    }

    /** The words that a shell completes. */
    private static final class Sources implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SourceNames.ALL.iterator();
        }
    }
}
