// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test that is given each of {@link Programs#jdksWithVirtualThreads()}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}", allowZeroInvocations = true)
@MethodSource("io.threadclock.micrometer.Programs#jdksWithVirtualThreads")
@interface OnEachJdkWithVirtualThreads {}
