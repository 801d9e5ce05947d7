/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_JAVA_NATIVES_H
#define TCLK_JVM_JAVA_NATIVES_H

/* The natives of the Java library: the JVM finds them by their names, so no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#endif
