/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A contender of the benchmarks: CPU time of virtual threads as an agent has it without threadclock. HotSpot's
 * extension events tell when a thread has been mounted and is about to be unmounted; both handlers read the carrier's
 * CPU clock, and the difference is added to what the thread has in its JVMTI storage. Nobody asks for the sums.
 */

#include <jni.h>
#include <jvmti.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MOUNT "com.sun.hotspot.events.VirtualThreadMount"
#define UNMOUNT "com.sun.hotspot.events.VirtualThreadUnmount"

/* JDK 21 brought both; this is built by the headers of older JDKs, too. */
#define JVMTI_21 0x30150000
#define CAN_SUPPORT_VIRTUAL_THREADS 44 /* its bit among the capabilities */

static __thread int64_t mounted_ns;

static int64_t cpu_ns(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void JNICALL mounted(jvmtiEnv *jvmti, ...)
{
    (void)jvmti;
    mounted_ns = cpu_ns();
}

/* Asks for the current thread's storage, which is that of the virtual thread. To name the thread takes longer. */
static void JNICALL unmounted(jvmtiEnv *jvmti, ...)
{
    void *sum = NULL;
    (*jvmti)->GetThreadLocalStorage(jvmti, NULL, &sum);
    int64_t ns = (intptr_t)sum + cpu_ns() - mounted_ns;
    (*jvmti)->SetThreadLocalStorage(jvmti, NULL, (void *)(intptr_t)ns);
}

static jvmtiError listen_to(jvmtiEnv *jvmti, const jvmtiExtensionEventInfo *event)
{
    jvmtiExtensionEvent handler = strcmp(event->id, MOUNT) == 0     ? mounted
                                  : strcmp(event->id, UNMOUNT) == 0 ? unmounted
                                                                    : NULL;
    if (handler == NULL) {
        return JVMTI_ERROR_NONE;
    }
    jvmtiError error = (*jvmti)->SetExtensionEventCallback(jvmti, event->extension_event_index, handler);
    return error != JVMTI_ERROR_NONE ? error
                                     : (*jvmti)->SetEventNotificationMode(
                                           jvmti, JVMTI_ENABLE, (jvmtiEvent)event->extension_event_index, NULL);
}

static jvmtiError listen_to_mounts(jvmtiEnv *jvmti)
{
    jvmtiExtensionEventInfo *events = NULL;
    jint count = 0;
    union {
        jvmtiCapabilities all;
        uint64_t first;
    } capabilities = {.first = UINT64_C(1) << CAN_SUPPORT_VIRTUAL_THREADS};
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &capabilities.all);
    if (error == JVMTI_ERROR_NONE) {
        error = (*jvmti)->GetExtensionEvents(jvmti, &count, &events);
    }
    for (jint i = 0; i < count && error == JVMTI_ERROR_NONE; i++) {
        error = listen_to(jvmti, &events[i]);
    }
    return error;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEnv *jvmti = NULL;
    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_21) != JNI_OK) {
        fputs("mount_events: this JVM has no JVMTI 21; start one of JDK 21 or newer.\n", stderr);
        return JNI_ERR;
    }
    jvmtiError error = listen_to_mounts(jvmti);
    if (error != JVMTI_ERROR_NONE) {
        fprintf(stderr, "mount_events: listening to mounts: JVMTI answered %d.\n", (int)error);
    }
    return error == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}
