/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/notes.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

struct note {
    ElfW(Nhdr) header;
    char owner[sizeof TCLK_NOTE_OWNER];
    int32_t distance;
};

_Static_assert(sizeof(struct note) == 28, "without padding");

struct search {
    uint32_t type;
    bool (*is_wanted)(const void *table, const char *path, void *context);
    void *context;
};

static bool is_ours(const struct note *note, uint32_t type)
{
    return note->header.n_type == type && note->header.n_namesz == sizeof note->owner &&
           note->header.n_descsz == sizeof note->distance &&
           memcmp(note->owner, TCLK_NOTE_OWNER, sizeof note->owner) == 0;
}

static size_t padded(size_t bytes)
{
    return (bytes + 3) & ~(size_t)3;
}

static const void *table_in_notes(const char *at, size_t bytes, uint32_t type)
{
    while (bytes >= sizeof(struct note)) {
        const struct note *note = (const struct note *)(const void *)at;
        if (is_ours(note, type)) {
            return (const char *)&note->distance + note->distance;
        }
        size_t names = padded(note->header.n_namesz);
        size_t descriptions = padded(note->header.n_descsz);
        size_t length = sizeof note->header + names + descriptions;
        if (length >= bytes) {
            break;
        }
        at += length;
        bytes -= length;
    }
    return NULL;
}

/* Some notes are in the file alone. */
static bool is_loaded(const struct dl_phdr_info *object, const ElfW(Phdr) * notes)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) != 0 && notes->p_vaddr >= segment->p_vaddr &&
            notes->p_vaddr + notes->p_filesz <= segment->p_vaddr + segment->p_filesz) {
            return true;
        }
    }
    return false;
}

/* Notes of objects are aligned to 4 bytes, but for those of the processor, which are aligned to 8. */
static int search_object(struct dl_phdr_info *object, size_t size, void *context)
{
    const struct search *search = context;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE || segment->p_align > 4 || !is_loaded(object, segment)) {
            continue;
        }
        const char *notes = (const char *)(uintptr_t)(object->dlpi_addr + segment->p_vaddr);
        const void *table = table_in_notes(notes, segment->p_filesz, search->type);
        if (table != NULL && search->is_wanted(table, object->dlpi_name, search->context)) {
            return 1;
        }
    }
    return 0;
}

void tclk_notes_search(uint32_t type, bool (*is_wanted)(const void *table, const char *path, void *context),
                       void *context)
{
    struct search search = {type, is_wanted, context};
    dl_iterate_phdr(search_object, &search);
}
