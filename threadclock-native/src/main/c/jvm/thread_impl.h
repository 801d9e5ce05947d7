/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_THREAD_IMPL_H
#define TCLK_JVM_THREAD_IMPL_H

#include <stdbool.h>

/*
 * The natives of HotSpot's sun.management.ThreadImpl that tell a thread's CPU time, on JDK 8 to 26:
 *     static native long getThreadTotalCpuTime0(long id);
 *     static native long getThreadUserCpuTime0(long id);
 * id 0 is the calling thread (Java code above passes it for the own id too). What Java decides above
 * them, such as -1 while thread CPU time is disabled, is decided before they are called.
 *
 * Ours answer id 0 from the clock. Every other id, and every failure, goes to the original.
 */
#define TCLK_THREAD_IMPL_CLASS "Lsun/management/ThreadImpl;"

/* If this is one of the natives above, remembers `original` and returns ours; else NULL. */
void *tclk_thread_impl_replacement(const char *name, const char *signature, void *original);

/* True if a native of this name and signature is replaced. */
bool tclk_thread_impl_is_replaced(const char *name, const char *signature);

#endif
