// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.Signature;
import org.aspectj.lang.reflect.MethodSignature;
import org.aspectj.lang.reflect.SourceLocation;
import org.aspectj.runtime.internal.AroundClosure;

/** A call as AspectJ hands it to an aspect, without AspectJ. */
final class StubCall implements ProceedingJoinPoint {
    private final MethodSignature signature;
    private final StaticPart staticPart;
    private final Runnable work;

    StubCall(Method method, Runnable work) {
        this.work = work;
        signature = stub(MethodSignature.class, asked -> switch (asked) {
            case "getMethod" -> method;
            case "getName" -> method.getName();
            case "getDeclaringTypeName" -> method.getDeclaringClass().getName();
            default -> throw new UnsupportedOperationException(asked);
        });
        staticPart = new Place();
    }

    private static <T> T stub(Class<T> type, Function<String, Object> answers) {
        InvocationHandler handler = (self, method, arguments) -> answers.apply(method.getName());
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public Object proceed() {
        work.run();
        return null;
    }

    @Override
    public Object proceed(Object[] arguments) {
        return proceed();
    }

    @Override
    public void set$AroundClosure(AroundClosure closure) {
        throw new UnsupportedOperationException("set$AroundClosure");
    }

    @Override
    public StaticPart getStaticPart() {
        return staticPart;
    }

    @Override
    public Signature getSignature() {
        return signature;
    }

    @Override
    public Object getThis() {
        return null;
    }

    @Override
    public Object getTarget() {
        return null;
    }

    @Override
    public Object[] getArgs() {
        return new Object[0];
    }

    @Override
    public SourceLocation getSourceLocation() {
        return null;
    }

    @Override
    public String getKind() {
        return METHOD_EXECUTION;
    }

    @Override
    public String toShortString() {
        return signature.getName();
    }

    @Override
    public String toLongString() {
        return toShortString();
    }

    /** Where the method is, which is all that an aspect knows it by. */
    private final class Place implements StaticPart {
        @Override
        public Signature getSignature() {
            return signature;
        }

        @Override
        public SourceLocation getSourceLocation() {
            return null;
        }

        @Override
        public String getKind() {
            return METHOD_EXECUTION;
        }

        @Override
        public int getId() {
            return 0;
        }

        @Override
        public String toShortString() {
            return signature.getName();
        }

        @Override
        public String toLongString() {
            return toShortString();
        }
    }
}
