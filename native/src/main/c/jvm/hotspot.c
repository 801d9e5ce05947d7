/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/hotspot.h"

#include "jvm/objects.h"
#include "jvm/vm_structs.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static struct tclk_vm_layout layout;
static bool has_layout;

static bool exported(void *libjvm, const char *name, uint64_t *address)
{
    *address = (uintptr_t)dlsym(libjvm, name);
    return *address != 0;
}

static bool find_exports(struct tclk_vm_exports *exports)
{
    void *libjvm = tclk_objects_named("libjvm.so");
    return libjvm != NULL && exported(libjvm, "gHotSpotVMStructs", &exports->table) &&
           exported(libjvm, "gHotSpotVMStructEntryArrayStride", &exports->stride) &&
           exported(libjvm, "gHotSpotVMStructEntryTypeNameOffset", &exports->type_name) &&
           exported(libjvm, "gHotSpotVMStructEntryFieldNameOffset", &exports->field_name) &&
           exported(libjvm, "gHotSpotVMStructEntryOffsetOffset", &exports->offset);
}

static void find_layout(void)
{
    struct tclk_vm_exports exports;
    has_layout = find_exports(&exports) && tclk_vm_structs_find(&exports, &layout);
}

bool tclk_hotspot_is_here(void)
{
    void *libjvm = tclk_objects_named("libjvm.so");
    return libjvm != NULL && dlsym(libjvm, "gHotSpotVMStructs") != NULL;
}

pid_t tclk_hotspot_tid_of(int64_t java_thread)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_layout);
    return has_layout ? tclk_vm_structs_tid_of(&layout, (uint64_t)java_thread) : -ENOTSUP;
}
