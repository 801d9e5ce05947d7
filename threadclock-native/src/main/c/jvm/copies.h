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

/* Sets whether this copy's agent is in use; tclk_agent_version() tells other copies, jvm/status_pages.h other
 * programs. */
void tclk_agent_set_active(bool active);

/* True if another loaded copy has an agent in use; its file's path is written to `path`. */
bool tclk_agent_other_copy(char *path, size_t size);

/* Notes that System.load() has given this copy to Java code; tclk_library_version() tells other copies. */
void tclk_library_set_loaded(void);

typedef jint(JNICALL *tclk_on_attach)(JavaVM *vm, char *text, void *reserved);

/* Returns Agent_OnAttach of a copy of this version that the program uses by its Java library, if that copy is to act
 * in place of this one, so that both have one clock. If several class loaders have a copy each, the one whose agent
 * is in use comes first, and acts for this copy even if a class loader has this one as well. NULL: there is none.
 * The caller must attach while no copy may begin (jvm/attachment.h). */
tclk_on_attach tclk_copies_on_attach(void);

#endif
