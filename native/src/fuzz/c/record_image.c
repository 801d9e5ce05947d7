/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An agent that writes the memory that the walk through the VM's tables reads, for this JVM's main thread, to the file
 * that its option names. The file is a seed of the corpus. `make fuzz-image` runs it.
 *
 * Only the table's entries of three types are kept, one behind the other, with the entries that follow the wanted ones.
 * The 1,600 others would be in the fuzzer's way.
 */

#include "image.h"
#include "jvm/java_thread.h"
#include "kernel/own_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_BYTES 48
#define ENTRIES 256

static FILE *image;
static bool recording;
static char table[ENTRIES + 1][ENTRY_BYTES];
static uint64_t table_address = (uintptr_t)table;

static void record(uint64_t address, const void *bytes, size_t size)
{
    struct image_piece piece = {address, (uint16_t)size};
    fwrite(&piece, sizeof piece, 1, image);
    fwrite(bytes, size, 1, image);
}

/* Which is one piece, so that entries may be thought longer than they are. */
static bool is_in_table(uint64_t address)
{
    return address - (uintptr_t)table < sizeof table;
}

/* In place of kernel/own_memory.c: the VM's memory is valid here. Texts are read up to their end. */
int tclk_own_memory_read(uint64_t address, void *to, size_t size)
{
    const char *from = (const char *)(uintptr_t)address;
    if (from == NULL) {
        return -EFAULT;
    }
    memcpy(to, from, size);
    if (recording && !is_in_table(address)) {
        record(address, to, size);
    }
    return 0;
}

static uint64_t exported(const char *name)
{
    uint64_t address = (uintptr_t)dlsym(RTLD_DEFAULT, name);
    if (address == 0) {
        fprintf(stderr, "record_image: libjvm.so does not export %s\n", name);
        exit(1);
    }
    return address;
}

static uint64_t word_at(uint64_t address)
{
    return *(const uint64_t *)(uintptr_t)address;
}

static bool is_wanted(const char *type)
{
    return strcmp(type, "Thread") == 0 || strcmp(type, "JavaThread") == 0 || strcmp(type, "OSThread") == 0;
}

/* Returns its length; an entry of zeros, the last one, is part of it. */
static size_t copy_table(const struct tclk_vm_exports *exports)
{
    size_t kept = 0;
    uint64_t type_name = word_at(exports->type_name);
    for (uint64_t at = word_at(exports->table); word_at(at + type_name) != 0 && kept < ENTRIES; at += ENTRY_BYTES) {
        if (is_wanted((const char *)(uintptr_t)word_at(at + type_name))) {
            memcpy(table[kept++], (const void *)(uintptr_t)at, ENTRY_BYTES);
        }
    }
    return (kept + 1) * ENTRY_BYTES;
}

static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    struct tclk_vm_layout layout;
    struct image_head head = {.exports = {exported("gHotSpotVMStructs"), exported("gHotSpotVMStructEntryArrayStride"),
                                          exported("gHotSpotVMStructEntryTypeNameOffset"),
                                          exported("gHotSpotVMStructEntryFieldNameOffset"),
                                          exported("gHotSpotVMStructEntryOffsetOffset")}};
    (void)jvmti;
    size_t table_bytes = copy_table(&head.exports);
    head.exports.table = (uintptr_t)&table_address;
    tclk_java_thread_setup(env);
    head.java_thread = (uint64_t)tclk_java_thread_address(env, thread);
    fwrite(&head, sizeof head, 1, image);
    record((uintptr_t)table, table, table_bytes);
    recording = true;
    bool found = tclk_vm_structs_find(&head.exports, &layout);
    pid_t tid = found ? tclk_vm_structs_tid_of(&layout, head.java_thread) : -ENOTSUP;
    recording = false;
    fclose(image);
    printf("record_image: tid %d\n", tid);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEnv *jvmti;
    jvmtiEventCallbacks callbacks = {.VMInit = on_start};
    (void)reserved;
    image = fopen(options, "wb");
    if (image == NULL || (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return JNI_ERR;
    }
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return JNI_OK;
}
