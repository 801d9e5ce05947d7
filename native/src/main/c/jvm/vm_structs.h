/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_VM_STRUCTS_H
#define TCLK_JVM_VM_STRUCTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * gHotSpotVMStructs: a table of the fields of HotSpot's C++ types. The table, and the words that describe it, are read
 * by tclk_own_memory_read() alone, and no content is trusted.
 */

/* Addresses of symbols of libjvm.so, which hold the table's address, the length of its entries, and the offsets of
 * the parts of an entry. */
struct tclk_vm_exports {
    uint64_t table;
    uint64_t stride;
    uint64_t type_name;
    uint64_t field_name;
    uint64_t offset;
};

/* The offsets on the way JavaThread -> OSThread -> tid. */
struct tclk_vm_layout {
    uint64_t os_thread; /* in JavaThread up to JDK 21, in its base class Thread from 25 on */
    uint64_t thread_id; /* in OSThread */
};

/* False, with `layout` untouched: there is no such table, or it has no such fields. */
bool tclk_vm_structs_find(const struct tclk_vm_exports *exports, struct tclk_vm_layout *layout);

/* Returns the tid of the thread whose JavaThread is at that address: > 0; or the error of tclk_own_memory_read(); or
 * -EFAULT: there is no such thread. */
pid_t tclk_vm_structs_tid_of(const struct tclk_vm_layout *layout, uint64_t java_thread);

#endif
