// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the first JVMTI environment of a JVM costs its virtual threads: each switch takes longer until the JVM ends. It
 * costs nothing more if something else has made one before, and nothing where the JVM was started so.
 *
 * <p>On JDK 24 and 25, a JVM that was started so may hang: virtual threads that leave their carriers at a monitor stay
 * marked as in transition, and then keep their carriers at the next one (until JDK-8364343, in 26).
 *
 * @param isFree whether the JVM was started so
 * @param payer what has made an environment before, as far as that shows from outside: JFR, the library of an agent, or
 *     the option by which a native agent was started with the JVM
 */
public record JvmtiPrice(boolean isFree, Optional<String> payer) {
    /** The switch by which a JVM is started so, if it is off. */
    public static final String TRANSITIONS = "DoJVMTIVirtualThreadTransitions";

    /**
     * In docs/virtual-threads.md, yields and parks on JDK 21 to 28: the switch under the agent minus the switch under
     * run --virtual.
     */
    public static final String OF_A_SWITCH = "some 165 to 350 ns";

    /** Those of agents in Java, debuggers, and async-profiler. */
    private static final List<String> AGENTS = List.of("libinstrument.so", "libjdwp.so", "libasyncProfiler.so");

    /** JFR Recorder Thread. The kernel keeps 15 bytes of a name, and newer JDKs leave out its middle. */
    private static final String JFR_THREAD = "JFR Rec";

    /**
     * Whether virtual threads may hang in a JVM that was started so.
     *
     * @param feature the feature release of its JDK
     */
    public static boolean canHang(long feature) {
        return feature == 24 || feature == 25;
    }

    public static JvmtiPrice of(Target target) {
        boolean isFree = JvmFlags.of(target.files()).isOn(TRANSITIONS).equals(Optional.of(false));
        Stream<String> agents = target.code(AGENTS::contains).stream().map(MemoryMap.MappedFile::name);
        Stream<String> jfr = target.files().threadNames().stream()
                .filter(name -> name.startsWith(JFR_THREAD))
                .map(name -> "JFR");
        Stream<String> options = JvmFlags.of(target.files()).words().stream()
                .filter(word -> word.startsWith("-agentpath:") || word.startsWith("-agentlib:"))
                .map(word -> word.replaceFirst("(?s)=.*", ""));
        return new JvmtiPrice(
                isFree, Stream.of(agents, options, jfr).flatMap(found -> found).findFirst());
    }
}
