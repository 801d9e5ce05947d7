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
 * Id 0 is the calling thread (the Java code passes it for the caller's own id, too). Results of threads that do not
 * live are left as they are; Java fills them with -1 before. Java decides some answers before it calls these natives,
 * such as -1 while thread CPU time is disabled.
 *
 * Our natives answer for the threads that they know (jvm/known_threads.h). Everything else, and every failure, goes to
 * the original. A call of an original may never return, so originals stay known for ever.
 */
#define TCLK_THREAD_IMPL "sun/management/ThreadImpl"
#define TCLK_MXBEAN_NATIVES 4

struct tclk_native {
    const char *name;
    const char *signature;
    void *ours;
    void *original; /* NULL until it is known; never changes afterwards */
};

/* Returns the native with that name and signature, or NULL if it is not one of the four. */
struct tclk_native *tclk_mxbean_native(const char *name, const char *signature);

/* Notes an original. The first one is kept; our own function is never noted. */
void tclk_mxbean_note_original(struct tclk_native *native, void *address);

/* Takes the originals that are not known yet from libmanagement.so. False: one is missing there. */
bool tclk_mxbean_find_originals(void);

/* Lists all four, ours or the originals, in the form for RegisterNatives. The originals must be known. */
void tclk_mxbean_list(bool ours, JNINativeMethod methods[TCLK_MXBEAN_NATIVES]);

/* Sets whether our natives answer; otherwise they forward. */
void tclk_mxbean_set_ours(bool serve);
bool tclk_mxbean_is_ours(void);

/* Counts of reads of other threads' times, which begin now if `count`; for the statistics. */
struct tclk_by_id_counts {
    uint64_t here;
    uint64_t original;
};
void tclk_mxbean_count(bool count);
struct tclk_by_id_counts tclk_mxbean_counts(void);

#endif
