/* SPDX-License-Identifier: Apache-2.0 */

/* The native of io.threadclock.cli.doctor.NativeExamination. */

#include "doctor/examination.h"

#include <jni.h>

JNIEXPORT jstring JNICALL Java_io_threadclock_cli_doctor_NativeExamination_text(JNIEnv *env, jclass type);

JNIEXPORT jstring JNICALL Java_io_threadclock_cli_doctor_NativeExamination_text(JNIEnv *env, jclass type)
{
    char text[TCLK_EXAMINATION_MAX_BYTES];
    (void)type;
    tclk_examine(text, sizeof text);
    return (*env)->NewStringUTF(env, text);
}
