// SPDX-License-Identifier: Apache-2.0
/**
 * Configures programs of Spring Boot 3.5 and 4 by itself: what their pools, requests and methods cost, and their
 * virtual threads.
 */
@NullMarked
package io.threadclock.spring;

import org.jspecify.annotations.NullMarked;
