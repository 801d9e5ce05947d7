/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the walk through a VM's tables, for which this program has its own. */

#include "jvm/vm_structs.h"

#include "real.h"

/* The fields are in HotSpot's order. */
struct entry {
    const char *type_name;
    const char *field_name;
    const char *type_string;
    int32_t is_static;
    uint64_t offset;
    void *address;
};

struct os_thread {
    uint64_t other;
    pid_t tid;
};

struct java_thread {
    uint64_t others[3];
    const struct os_thread *os_thread;
};

#define OS_THREAD offsetof(struct java_thread, os_thread)
#define THREAD_ID offsetof(struct os_thread, tid)

/* The symbols of a VM, each by its address. */
static const struct entry *table;
static uint64_t stride;
static uint64_t type_name;
static uint64_t field_name;
static uint64_t offset;

static struct tclk_vm_exports exports_of(const struct entry *entries)
{
    table = entries;
    stride = sizeof(struct entry);
    type_name = offsetof(struct entry, type_name);
    field_name = offsetof(struct entry, field_name);
    offset = offsetof(struct entry, offset);
    return (struct tclk_vm_exports){(uintptr_t)&table, (uintptr_t)&stride, (uintptr_t)&type_name,
                                    (uintptr_t)&field_name, (uintptr_t)&offset};
}

static const struct entry usual[] = {
    {"Klass", "_osthread", "int", 0, 1, NULL},
    {"JavaThread", "_osthread", "OSThread*", 0, OS_THREAD, NULL},
    {"OSThread", "_thread_state", "int", 0, 2, NULL},
    {"Thread", "_thread_id", "int", 0, 3, NULL},
    {"OSThread", "_thread_id", "pid_t", 0, THREAD_ID, NULL},
    {0},
};

static void fields_are_found(void)
{
    struct entry of_thread[COUNT(usual)];
    struct tclk_vm_exports exports = exports_of(usual);
    struct tclk_vm_layout layout = {0, 0};
    ok(tclk_vm_structs_find(&exports, &layout) && layout.os_thread == OS_THREAD && layout.thread_id == THREAD_ID,
       "the two fields are found by type and name");
    memcpy(of_thread, usual, sizeof usual);
    of_thread[1].type_name = "Thread";
    exports = exports_of(of_thread);
    layout = (struct tclk_vm_layout){0, 0};
    ok(tclk_vm_structs_find(&exports, &layout) && layout.os_thread == OS_THREAD,
       "as of JDK 25 one is in the base class");
}

static void refuses(struct tclk_vm_exports exports, const char *what)
{
    struct tclk_vm_layout layout = {4, 5};
    bool found = tclk_vm_structs_find(&exports, &layout);
    ok(!found && layout.os_thread == 4 && layout.thread_id == 5, "%s: refused, and nothing is set", what);
}

static void missing_fields_are_refused(void)
{
    struct entry without[COUNT(usual)];
    memcpy(without, usual, sizeof usual);
    without[4].field_name = "_thread_identifier";
    refuses(exports_of(without), "a table without the tid");
    refuses(exports_of(usual + 2), "a table without the OSThread");
    refuses(exports_of(usual + 5), "an empty table");
}

static void refuses_with(uint64_t *symbol, uint64_t value, const char *what)
{
    struct tclk_vm_exports exports = exports_of(usual);
    *symbol = value;
    refuses(exports, what);
}

static void strange_entries_are_refused(void)
{
    refuses_with(&stride, 7, "entries shorter than a word");
    refuses_with(&stride, 129, "entries longer than any");
    refuses_with(&type_name, sizeof(struct entry) - 7, "a type's name that is partly outside the entry");
    refuses_with(&field_name, UINT64_MAX, "a field's name far outside the entry");
    refuses_with(&offset, sizeof(struct entry), "an offset just outside the entry");
}

static void missing_memory_is_an_error(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *gone = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, page);
    struct tclk_vm_exports exports = exports_of((const struct entry *)(void *)gone);
    refuses(exports, "a table in memory that is not there");
    exports.stride = (uintptr_t)gone;
    refuses(exports, "words in memory that is not there");
    struct tclk_vm_layout layout = {OS_THREAD, THREAD_ID};
    struct java_thread thread = {.os_thread = (const struct os_thread *)(void *)gone};
    is_ns(tclk_vm_structs_tid_of(&layout, (uintptr_t)gone), -EFAULT,
          "a thread in memory that is not there is an error and no fault");
    is_ns(tclk_vm_structs_tid_of(&layout, (uintptr_t)&thread), -EFAULT, "so is one whose other half is not there");
}

/* A table without an end is read up to the end of the memory, or for a number of entries. */
static void endless_tables_end(void)
{
    enum { ENTRIES = 20002 };
    size_t bytes = ENTRIES * sizeof(struct entry);
    struct entry *entries = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < ENTRIES; i++) {
        entries[i] = usual[i < ENTRIES - 2 ? 0 : i == ENTRIES - 2 ? 1 : 4];
    }
    refuses(exports_of(entries), "fields behind the 20,000th");
    munmap(entries, bytes);
}

static void tids_are_read(void)
{
    struct os_thread os_thread = {.tid = 4711};
    struct java_thread thread = {.os_thread = &os_thread};
    struct tclk_vm_layout layout = {OS_THREAD, THREAD_ID};
    is_ns(tclk_vm_structs_tid_of(&layout, (uintptr_t)&thread), 4711, "a thread's tid is read");
    os_thread.tid = 0;
    is_ns(tclk_vm_structs_tid_of(&layout, (uintptr_t)&thread), -EFAULT, "0 is none");
    os_thread.tid = -5;
    is_ns(tclk_vm_structs_tid_of(&layout, (uintptr_t)&thread), -EFAULT,
          "nor is what is negative: it is not taken for an error's number");
}

int main(void)
{
    fields_are_found();
    missing_fields_are_refused();
    strange_entries_are_refused();
    missing_memory_is_an_error();
    endless_tables_end();
    tids_are_read();
    return done();
}
