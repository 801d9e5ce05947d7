// SPDX-License-Identifier: Apache-2.0
/** The cost of OpenTelemetry's spans on their threads: docs/opentelemetry.md. */
package io.threadclock.opentelemetry;
