// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Arrays;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Another agent, in Java, which retransforms the class of virtual threads: after each of two gates, and also before if
 * it is there from the start. If it is not, it is loaded behind the first gate; the argument names its jar, or is
 * {@code byte-buddy}, if the agent of Byte Buddy is there. Prints what it is shown of the class, and whether a thread
 * that is made then is measured. It replaces the class file by an equal one, which counts as a change.
 */
public final class RetransformProbe implements ClassFileTransformer {
    private static final String CHANGE = "io/threadclock/boot/VirtualClocks";

    private static final RetransformProbe TRANSFORMER = new RetransformProbe();
    private static Instrumentation instrumentation;

    private byte[] shown = {};

    private RetransformProbe() {}

    /** The JVM calls it with the option -javaagent. */
    public static void premain(String options, Instrumentation ofThisJvm) {
        instrumentation = ofThisJvm;
        instrumentation.addTransformer(TRANSFORMER, true);
    }

    /** The JVM calls it when the agent is loaded later. */
    public static void agentmain(String options, Instrumentation ofThisJvm) {
        premain(options, ofThisJvm);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("byte-buddy")) {
            premain("", (Instrumentation) Class.forName("net.bytebuddy.agent.ByteBuddyAgent")
                    .getMethod("getInstrumentation")
                    .invoke(null));
        }
        if (instrumentation != null) {
            print("before");
        }
        Gate.await("begin");
        if (instrumentation == null) {
            loadAgent(arguments[0]);
        }
        print("during");
        Gate.await("middle");
        print("after");
    }

    /** As jcmd does it. */
    private static void loadAgent(String jar) throws JMException {
        ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "jvmtiAgentLoad",
                        new Object[] {new String[] {jar}},
                        new String[] {String[].class.getName()});
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] file) {
        if (!"java/lang/VirtualThread".equals(name)) {
            return null;
        }
        shown = file.clone();
        return shown;
    }

    private static void print(String when)
            throws ClassNotFoundException, UnmodifiableClassException, InterruptedException, IOException {
        instrumentation.retransformClasses(Class.forName("java.lang.VirtualThread", false, null));
        boolean isChanged = new String(TRANSFORMER.shown, StandardCharsets.ISO_8859_1).contains(CHANGE);
        Fact.print(when + ".isShownTheChange", isChanged);
        Fact.print(when + ".hash", Arrays.hashCode(TRANSFORMER.shown));
        ReflectedVirtualThreads.start(() -> Fact.print(when + ".canRead", ThreadClock.canRead()))
                .join();
    }
}
