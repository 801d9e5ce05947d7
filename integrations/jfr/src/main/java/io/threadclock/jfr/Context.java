// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;

/**
 * {@code jdk.jfr.Contextual} of JDK 25, by name: the field tells about all events of its thread while its own event
 * lasts. Recordings refer to annotations by their names, which {@link Name} sets; those of older JDKs therefore have
 * the context too, for readers that know it.
 */
@MetadataDefinition
@Name("jdk.jfr.Contextual")
@Label("Context")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Context {}
