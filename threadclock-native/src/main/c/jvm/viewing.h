/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_VIEWING_H
#define TCLK_JVM_VIEWING_H

#include "jvm/attachment.h"

#include <jni.h>
#include <stdbool.h>

/*
 * Starts the view (view/view.h) in this JVM, or has it wait for one more client. Whoever has attached the
 * clock, and how, is not touched: ThreadMXBean stays as it is. The calling thread finds out the Java
 * thread ids; the view's own thread knows nothing of the JVM.
 */
enum tclk_outcome tclk_viewing_begin(JNIEnv *env);

/* Finds out the Java thread ids anew, and who carries virtual threads: those that were not there when somebody
 * came to look. TCLK_NOT_ATTACHED: there is no view. */
enum tclk_outcome tclk_viewing_name(JNIEnv *env);

/* False: there was no view. */
bool tclk_viewing_end(void);

#endif
