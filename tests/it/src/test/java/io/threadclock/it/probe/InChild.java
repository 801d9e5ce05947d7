// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;

/**
 * The tests of this class run in child JVMs: in one for each JDK, way of loading the agent, and mode. The JVM that
 * Failsafe starts finds the tests, and has the child run each of them, see {@link LawRunner}.
 */
@ClassTemplate
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InChild {
    /**
     * The option for one carrier: on more, a virtual thread may change its carrier at a monitor or in a class
     * initializer.
     */
    String ONE_CARRIER = "-Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1";

    /** In a mode: the agent is loaded with the options that follow, and the class sees this property. */
    String AGENT = "-Dthreadclock.it.agent=";

    JdkChoice jdks() default JdkChoice.EACH;

    Loading[] agent() default Loading.STOCK;

    /** JVM options separated by blanks, of all child JVMs. */
    String options() default "";

    /** More of them; one child JVM for each of these texts. */
    String[] modes() default "";

    /** The JDKs, of those that are here. */
    enum JdkChoice {
        /** In a brief run, the newest. */
        EACH,
        /** In a brief run, the newest and the oldest. */
        EACH_AND_OLDEST,
        OLDEST_AND_NEWEST,
        WITH_VIRTUAL_THREADS
    }

    /** How the agent gets into the child JVM. The class calls {@link Gate#await} where something is to happen. */
    enum Loading {
        STOCK,
        AGENTPATH,
        /** Attached at the gate "begin". */
        ATTACHED,
        /** Attached at the gate "begin", and detached at the gate "middle". */
        DETACHED,
        /** The same with the option {@code virtual}. */
        VIRTUAL_DETACHED,
        /** Installed by the program itself, through the library, at the gate "begin". */
        BOOSTED,
        /** Installed by the program itself, and uninstalled at the gate "middle". */
        UNBOOSTED,
        /** Installed and uninstalled again and again at the gate "churning". */
        BOOST_TOGGLED,
        /** Attached and detached again and again at the gate "churning". */
        TOGGLED
    }
}
