/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_THREAD_MXBEAN_NATIVES_H
#define TCLK_JVM_THREAD_MXBEAN_NATIVES_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The natives of HotSpot's sun.management.ThreadImpl that tell threads' CPU times, on JDK 8 to 26:
 *     static native long getThreadTotalCpuTime0(long id);
 *     static native void getThreadTotalCpuTime1(long[] ids, long[] result);
 *     static native long getThreadUserCpuTime0(long id);
 *     static native void getThreadUserCpuTime1(long[] ids, long[] result);
 * id 0 is the calling thread (Java code above passes it for the own id too). Results of threads that
 * do not live are left as they are; Java fills them with -1 before. What Java decides above them, such
 * as -1 while thread CPU time is disabled, is decided before they are called.
 *
 * Ours answer for the threads that they know (jvm/known_threads.h). Everything else, and every failure,
 * goes to the original. Once called they may be inside for ever, so originals stay known for ever.
 */
#define TCLK_THREAD_IMPL "sun/management/ThreadImpl"
#define TCLK_MXBEAN_NATIVES 4

struct tclk_native {
    const char *name;
    const char *signature;
    void *ours;
    void *original; /* NULL until it is known; never changes afterwards */
};

/* The native of that name and signature, or NULL: not one of the four. */
struct tclk_native *tclk_mxbean_native(const char *name, const char *signature);

/* Keeps the first original that is told; ours is no original. */
void tclk_mxbean_note_original(struct tclk_native *native, void *address);

/* Takes those originals that are not known yet from libmanagement.so. False: it lacks one. */
bool tclk_mxbean_find_originals(void);

/* All four, ours or the originals, as RegisterNatives wants them. The originals must be known. */
void tclk_mxbean_list(bool ours, JNINativeMethod methods[TCLK_MXBEAN_NATIVES]);

/* Whether ours answer; otherwise they forward. */
void tclk_mxbean_set_ours(bool serve);
bool tclk_mxbean_is_ours(void);

/* Reads of others' times, counted from now on if `count`; for the statistics. */
struct tclk_by_id_counts {
    uint64_t here;
    uint64_t original;
};
void tclk_mxbean_count(bool count);
struct tclk_by_id_counts tclk_mxbean_counts(void);

#endif
