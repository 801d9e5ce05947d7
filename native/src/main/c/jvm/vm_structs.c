/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/vm_structs.h"

#include "kernel/own_memory.h"

#include <errno.h>
#include <string.h>

/* More fields than any VM has (JDK 25: 1,600), so that the search in a table without an end stops. */
#define FIELDS_MAX 20000

#define NAME_MAX_BYTES 24
#define ENTRY_MAX_BYTES 128 /* 48 on JDK 8 to 26 */
#define NOWHERE UINT64_MAX

struct table {
    uint64_t address;
    uint64_t stride;
    uint64_t type_name;
    uint64_t field_name;
    uint64_t offset;
};

static bool is_text_at(uint64_t address, const char *text)
{
    char found[NAME_MAX_BYTES];
    size_t size = strlen(text) + 1;
    return tclk_own_memory_read(address, found, size) == 0 && memcmp(found, text, size) == 0;
}

static bool read_word(uint64_t address, uint64_t *word)
{
    return tclk_own_memory_read(address, word, sizeof *word) == 0;
}

static bool is_inside_entry(const struct table *table, uint64_t offset)
{
    return offset <= table->stride - sizeof offset;
}

static bool read_table(const struct tclk_vm_exports *exports, struct table *table)
{
    return read_word(exports->table, &table->address) && read_word(exports->stride, &table->stride) &&
           read_word(exports->type_name, &table->type_name) && read_word(exports->field_name, &table->field_name) &&
           read_word(exports->offset, &table->offset) && table->stride >= sizeof(uint64_t) &&
           table->stride <= ENTRY_MAX_BYTES && is_inside_entry(table, table->type_name) &&
           is_inside_entry(table, table->field_name) && is_inside_entry(table, table->offset);
}

static uint64_t word_at(const char *entry, uint64_t offset)
{
    uint64_t word;
    memcpy(&word, entry + offset, sizeof word);
    return word;
}

static void note_field(uint64_t type, uint64_t field, uint64_t offset, struct tclk_vm_layout *layout)
{
    if (is_text_at(field, "_osthread") && (is_text_at(type, "JavaThread") || is_text_at(type, "Thread"))) {
        layout->os_thread = offset;
    } else if (is_text_at(field, "_thread_id") && is_text_at(type, "OSThread")) {
        layout->thread_id = offset;
    }
}

static bool is_complete(const struct tclk_vm_layout *layout)
{
    return layout->os_thread != NOWHERE && layout->thread_id != NOWHERE;
}

/* The entry after the last one has no type. */
static void walk(const struct table *table, struct tclk_vm_layout *layout)
{
    char entry[ENTRY_MAX_BYTES];
    for (uint64_t i = 0; i < FIELDS_MAX && !is_complete(layout); i++) {
        if (tclk_own_memory_read(table->address + i * table->stride, entry, table->stride) != 0 ||
            word_at(entry, table->type_name) == 0) {
            return;
        }
        note_field(word_at(entry, table->type_name), word_at(entry, table->field_name), word_at(entry, table->offset),
                   layout);
    }
}

bool tclk_vm_structs_find(const struct tclk_vm_exports *exports, struct tclk_vm_layout *layout)
{
    struct table table;
    struct tclk_vm_layout found = {NOWHERE, NOWHERE};
    if (!read_table(exports, &table)) {
        return false;
    }
    walk(&table, &found);
    if (!is_complete(&found)) {
        return false;
    }
    *layout = found;
    return true;
}

pid_t tclk_vm_structs_tid_of(const struct tclk_vm_layout *layout, uint64_t java_thread)
{
    uint64_t os_thread;
    pid_t tid;
    int error = tclk_own_memory_read(java_thread + layout->os_thread, &os_thread, sizeof os_thread);
    if (error == 0) {
        error = tclk_own_memory_read(os_thread + layout->thread_id, &tid, sizeof tid);
    }
    return error != 0 ? error : tid > 0 ? tid : -EFAULT;
}
