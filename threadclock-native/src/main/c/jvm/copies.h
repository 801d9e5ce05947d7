/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_COPIES_H
#define TCLK_JVM_COPIES_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Two copies of the library in one JVM (two paths, or two versions) would each take the natives from
 * the other, and be two clocks. Each copy exports tclk_agent_version() and tclk_library_version(), by
 * which another one finds it.
 */

/* Whether this copy's agent is in use; tclk_agent_version() tells other copies,
 * jvm/status_pages.h other programs. */
void tclk_agent_set_active(bool active);

/* True if another loaded copy has an agent in use; its file's path is put into `path`. */
bool tclk_agent_other_copy(char *path, size_t size);

/* Whether System.load() has given this copy to Java code; tclk_library_version() tells others. */
void tclk_library_set_loaded(void);

typedef jint(JNICALL *tclk_on_attach)(JavaVM *vm, char *text, void *reserved);

/* Agent_OnAttach of a copy of this version that the program reads by its Java library, if it is to act in place of this
 * one: attached, it is one clock for both. Where several class loaders have one each, that whose agent is in use
 * comes first, and takes part for this copy even if a class loader has this one as well. NULL: there is none.
 * Whoever then attaches does so while no copy may begin (jvm/attachment.h). */
tclk_on_attach tclk_copies_on_attach(void);

#endif
