/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_SERVING_H
#define TCLK_JVM_SERVING_H

#include "jvm/attachment.h"

#include <jni.h>
#include <stdbool.h>

/*
 * Starts the server (serve/server.h) in this JVM, or makes it let in one more client. It does not attach or detach
 * the clock: ThreadMXBean stays as it is. The calling thread finds out the Java thread ids; the server's own thread
 * knows nothing about the JVM. Returns an enum tclk_outcome; TCLK_VIEW_REFUSED has the errno with it.
 */
int tclk_serving_begin(JNIEnv *env);

/* Finds out the Java thread ids again, and which threads are carriers, for threads that have started since.
 * TCLK_NOT_ATTACHED: there is no server. */
enum tclk_outcome tclk_serving_name(JNIEnv *env);

/* False: there was no server. */
bool tclk_serving_end(void);

#endif
