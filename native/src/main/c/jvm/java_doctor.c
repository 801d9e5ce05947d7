/* SPDX-License-Identifier: Apache-2.0 */

/* The natives of io.threadclock.cli.doctor.ClockTrial: the command `doctor` tries each source in its own process. */

#include "include/threadclock.h"
#include "jvm/java_natives.h"
#include "kernel/clockid.h"

#include <jni.h>

JNIEXPORT jint JNICALL Java_io_threadclock_cli_doctor_ClockTrial_configure(JNIEnv *env, jclass type, jint source,
                                                                           jint split)
{
    const struct tclk_config config = {.source = (enum tclk_source)source, .split = (enum tclk_split)split};
    (void)env;
    (void)type;
    return tclk_clock_configure(&config);
}

JNIEXPORT jlong JNICALL Java_io_threadclock_cli_doctor_ClockTrial_tickNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_clock_tick_ns();
}
