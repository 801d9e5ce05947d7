/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_CLASS_FILE_H
#define TCLK_JVM_CLASS_FILE_H

#include <stddef.h>

#define TCLK_CLASS_FILE_MAX 256

/* Writes the class file (JVMS chapter 4, version 52 = Java 8) of
 *     class NAME { static int CALLER() { return CALLEE(); }  static native int CALLEE(); }
 * and returns its length. The names together must not be longer than 100 bytes. */
size_t tclk_class_file_of_caller(const char *name, const char *caller, const char *callee,
                                 unsigned char bytes[TCLK_CLASS_FILE_MAX]);

#endif
