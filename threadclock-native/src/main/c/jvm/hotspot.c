/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/hotspot.h"

#include "jvm/objects.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* More than any VM has (JDK 25: 1,600); a table without an end is left there. */
#define FIELDS_MAX 20000

#define NAME_MAX_BYTES 24
#define ENTRY_MAX_BYTES 128 /* 48 on JDK 8 to 26 */
#define NOWHERE UINT64_MAX

/* Where in an entry of the table its parts are, which the VM exports too. */
struct table {
    uint64_t address;
    uint64_t stride;
    uint64_t type_name;
    uint64_t field_name;
    uint64_t offset;
};

/* JavaThread -> OSThread -> tid. */
static struct {
    uint64_t os_thread; /* in JavaThread up to JDK 21, in its base class Thread from 25 on */
    uint64_t thread_id; /* in OSThread */
} offsets = {NOWHERE, NOWHERE};

static int read_memory(uint64_t address, void *to, size_t size)
{
    struct iovec local = {to, size};
    struct iovec remote = {(void *)(uintptr_t)address, size};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return got == (ssize_t)size ? 0 : got < 0 ? -errno : -EFAULT;
}

static bool is_text_at(uint64_t address, const char *text)
{
    char found[NAME_MAX_BYTES];
    size_t size = strlen(text) + 1;
    return read_memory(address, found, size) == 0 && memcmp(found, text, size) == 0;
}

static bool exported(void *libjvm, const char *name, uint64_t *word)
{
    const void *symbol = dlsym(libjvm, name);
    return symbol != NULL && read_memory((uintptr_t)symbol, word, sizeof *word) == 0;
}

static bool is_inside_entry(const struct table *table, uint64_t offset)
{
    return offset <= table->stride - sizeof offset;
}

static bool find_table(struct table *table)
{
    void *libjvm = tclk_objects_named("libjvm.so");
    return libjvm != NULL && exported(libjvm, "gHotSpotVMStructs", &table->address) &&
           exported(libjvm, "gHotSpotVMStructEntryArrayStride", &table->stride) &&
           exported(libjvm, "gHotSpotVMStructEntryTypeNameOffset", &table->type_name) &&
           exported(libjvm, "gHotSpotVMStructEntryFieldNameOffset", &table->field_name) &&
           exported(libjvm, "gHotSpotVMStructEntryOffsetOffset", &table->offset) &&
           table->stride >= sizeof(uint64_t) && table->stride <= ENTRY_MAX_BYTES &&
           is_inside_entry(table, table->type_name) && is_inside_entry(table, table->field_name) &&
           is_inside_entry(table, table->offset);
}

static uint64_t word_at(const char *entry, uint64_t offset)
{
    uint64_t word;
    memcpy(&word, entry + offset, sizeof word);
    return word;
}

static void note_field(uint64_t type, uint64_t field, uint64_t offset)
{
    if (is_text_at(field, "_osthread") &&
        (is_text_at(type, "JavaThread") || is_text_at(type, "Thread"))) {
        offsets.os_thread = offset;
    } else if (is_text_at(field, "_thread_id") && is_text_at(type, "OSThread")) {
        offsets.thread_id = offset;
    }
}

static bool has_offsets(void)
{
    return offsets.os_thread != NOWHERE && offsets.thread_id != NOWHERE;
}

/* The entry behind the last one has no type. */
static void find_offsets(void)
{
    struct table table;
    char entry[ENTRY_MAX_BYTES];
    if (!find_table(&table)) {
        return;
    }
    for (uint64_t i = 0; i < FIELDS_MAX && !has_offsets(); i++) {
        if (read_memory(table.address + i * table.stride, entry, table.stride) != 0 ||
            word_at(entry, table.type_name) == 0) {
            return;
        }
        note_field(word_at(entry, table.type_name), word_at(entry, table.field_name),
                   word_at(entry, table.offset));
    }
}

bool tclk_hotspot_is_here(void)
{
    void *libjvm = tclk_objects_named("libjvm.so");
    return libjvm != NULL && dlsym(libjvm, "gHotSpotVMStructs") != NULL;
}

pid_t tclk_hotspot_tid_of(int64_t java_thread)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint64_t os_thread;
    pid_t tid;
    pthread_once(&once, find_offsets);
    if (!has_offsets()) {
        return -ENOTSUP;
    }
    int error =
        read_memory((uint64_t)java_thread + offsets.os_thread, &os_thread, sizeof os_thread);
    if (error == 0) {
        error = read_memory(os_thread + offsets.thread_id, &tid, sizeof tid);
    }
    return error != 0 ? error : tid > 0 ? tid : -EFAULT;
}
