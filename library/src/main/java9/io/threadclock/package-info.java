// SPDX-License-Identifier: Apache-2.0
// For compilers that know Java 9: those of Java 8 warn of the annotation, because modules are among its targets.
@NullMarked
package io.threadclock;

import org.jspecify.annotations.NullMarked;
