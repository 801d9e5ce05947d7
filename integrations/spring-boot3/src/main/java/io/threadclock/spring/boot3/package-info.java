// SPDX-License-Identifier: Apache-2.0
/** The parts of the starter that need the types of Spring Boot 3. Programs depend on the starter alone. */
@NullMarked
package io.threadclock.spring.boot3;

import org.jspecify.annotations.NullMarked;
