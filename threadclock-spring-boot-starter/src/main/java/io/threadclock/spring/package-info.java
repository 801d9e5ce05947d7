// SPDX-License-Identifier: Apache-2.0
/** Configures Spring Boot 4 programs by itself: what their pools, requests and methods cost, and their virtual threads. */
@NullMarked
package io.threadclock.spring;

import org.jspecify.annotations.NullMarked;
