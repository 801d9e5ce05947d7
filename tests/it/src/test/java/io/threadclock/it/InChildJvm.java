// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.InChild;
import io.threadclock.it.probe.LawRunner;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs a class with {@link InChild} once for each of its child JVMs. JUnit finds it as a service. */
public final class InChildJvm implements ClassTemplateInvocationContextProvider, InvocationInterceptor {
    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return context.getRequiredTestClass().isAnnotationPresent(InChild.class);
    }

    @Override
    public boolean mayReturnZeroClassTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(ExtensionContext context) {
        Class<?> law = context.getRequiredTestClass();
        InChild where = law.getAnnotation(InChild.class);
        return jdks(where.jdks()).flatMap(jdk -> Stream.of(where.agent())
                .flatMap(loading -> Stream.of(where.modes()).map(mode -> new Run(jdk, loading, mode, law))));
    }

    /** The child calls it, not this JVM. */
    @Override
    public void interceptBeforeAllMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        if (supportsClassTemplate(context)) {
            invocation.skip();
        } else {
            invocation.proceed();
        }
    }

    private static Stream<Jdk> jdks(InChild.JdkChoice choice) {
        return switch (choice) {
            case EACH -> JdksUnderTest.all();
            case EACH_AND_OLDEST -> JdksUnderTest.allAndTheOldest();
            case OLDEST_AND_NEWEST -> Thoroughness.oldestAndNewest();
            case WITH_VIRTUAL_THREADS -> JdksUnderTest.withVirtualThreads();
        };
    }

    private record Run(Jdk jdk, InChild.Loading loading, String mode, Class<?> law)
            implements ClassTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocationIndex) {
            return String.join(" ", jdk.toString(), loading.name(), mode).strip();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Replay(new LawJvm(program())));
        }

        private Program program() {
            String[] options = (law.getAnnotation(InChild.class).options() + " " + mode)
                    .strip()
                    .split(" +");
            Program stock = Program.stock(jdk, LawRunner.class, law.getName())
                    .nativeAccess()
                    .jvmOption(Stream.of(options)
                            .filter(option -> !option.isEmpty())
                            .flatMap(Run::withItsAgent)
                            .toArray(String[]::new))
                    .jvmOption(Thoroughness.amountFor(jdk));
            return Presence.valueOf(loading.name()).of(stock);
        }

        private static Stream<String> withItsAgent(String option) {
            return option.startsWith(InChild.AGENT)
                    ? Stream.of(option, Program.LIBRARY.jvmOption(option.substring(InChild.AGENT.length())))
                    : Stream.of(option);
        }
    }

    /** Has the child JVM call what this one would call. */
    private record Replay(LawJvm child) implements InvocationInterceptor, AfterClassTemplateInvocationCallback {
        @Override
        public void interceptTestMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
                throws Throwable {
            invocation.skip();
            child.run(test.getExecutable().getName());
        }

        @Override
        public void afterClassTemplateInvocation(ExtensionContext context) {
            child.end();
        }
    }
}
