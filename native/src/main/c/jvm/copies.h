/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_COPIES_H
#define TCLK_JVM_COPIES_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Two copies of the library in one JVM (two paths, or two versions) would each take the natives from the other, and
 * two servers the same name. Therefore the copy that a tool has the JVM load hands over to the one that has the JVM
 * already. A tool never needs that one's path, which may be gone, or be somebody else's by now: each copy has an ELF
 * note (clock/notes.h), by which the others find it in memory.
 */

typedef jint(JNICALL *tclk_on_attach)(JavaVM *vm, char *text, void *reserved);

/* Grows with a change of the struct that is not a new field at its end. */
#define TCLK_AGENT_INTERFACE 0

/* The facts that copies of all versions know of one another. A copy that is something has run, so that the loader has
 * relocated its addresses; those of another one must not be read. A copy finds no field beyond `bytes`. */
struct tclk_agent {
    uint32_t interface;
    uint32_t bytes;
    _Atomic bool is_library; /* Java code has loaded it */
    _Atomic bool in_use;     /* ThreadMXBean is its own */
    _Atomic bool has_served; /* it may serve the view: `serves` tells */
    const char *version;
    bool (*serves)(void);
    tclk_on_attach on_attach;
};

/* Sets whether this copy's agent is in use; other programs see jvm/status_pages.h. */
void tclk_agent_set_active(bool active);

/* True if another loaded copy has an agent in use; its file's path, and its version, are written to `name`. */
bool tclk_agent_other_copy(char *name, size_t size);

/* Notes that System.load() has given this copy to Java code. */
void tclk_library_set_loaded(void);

/* Notes that this copy's server has been started. */
void tclk_agent_set_served(void);

/* Returns Agent_OnAttach of the copy that is to do in place of this one what `text` asks for; NULL: this one is. It is
 * the copy that is in use, or serves the view, or, where none does either, one that the program uses by its Java
 * library, so that both have one clock. A copy of another version gets "detach" alone, which all versions know. The
 * caller must attach while no copy may begin (jvm/attachment.h). */
tclk_on_attach tclk_copies_on_attach(const char *text);

#endif
