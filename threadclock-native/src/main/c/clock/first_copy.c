/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/first_copy.h"

#include "clock/text.h"

#include <errno.h>
#include <link.h>
#include <string.h>

const struct tclk_copy *tclk_first;

/* ---- a first copy that cannot be asked ---- */

static const char *(*version_of_stranger)(void);

static int refuse_times(struct tclk_times *times)
{
    (void)times;
    return -EEXIST;
}

static int refuse_tid_times(pid_t tid, int64_t alive_at_ns, struct tclk_times *times)
{
    (void)tid;
    (void)alive_at_ns;
    (void)times;
    return -EEXIST;
}

static int refuse_tid_cpu_ns(pid_t tid, int64_t alive_at_ns, int64_t *cpu_ns)
{
    (void)tid;
    (void)alive_at_ns;
    (void)cpu_ns;
    return -EEXIST;
}

static int refuse_waits(struct tclk_waits *waits, size_t size)
{
    memset(waits, 0xff, size); /* TCLK_UNKNOWN */
    return -EEXIST;
}

static int refuse_settings(const struct tclk_config *config, size_t size)
{
    (void)config;
    (void)size;
    return -EEXIST;
}

static enum tclk_source no_source(void)
{
    return TCLK_SOURCE_CLOCK;
}

static enum tclk_split no_split(void)
{
    return TCLK_SPLIT_SMOOTHED;
}

static size_t tell_stranger(char *buffer, size_t size)
{
    struct tclk_text text = {buffer, size, 0};
    tclk_text_add(&text,
                  "another copy of threadclock, of version %s, is the clock of this process, and "
                  "version %s cannot ask it. Use one version",
                  version_of_stranger(), tclk_version());
    return text.length;
}

static size_t tell_stranger_of_source(enum tclk_source source, char *buffer, size_t size)
{
    (void)source;
    return tell_stranger(buffer, size);
}

static void no_stats(struct tclk_stats *stats, size_t size)
{
    memset(stats, 0, size);
}

static void announce_nothing(bool announce)
{
    (void)announce;
}

static const struct tclk_copy stranger = {
    .thread_read = refuse_times,
    .tid_read = refuse_tid_times,
    .tid_cpu_ns = refuse_tid_cpu_ns,
    .thread_waits = refuse_waits,
    .configure = refuse_settings,
    .source = no_source,
    .split = no_split,
    .split_describe = tell_stranger,
    .explain = tell_stranger,
    .source_explain = tell_stranger_of_source,
    .stats = no_stats,
    .announce_demotions = announce_nothing,
};

/* ---- finding it ---- */

struct note {
    ElfW(Nhdr) header;
    char name[sizeof TCLK_COPY_NOTE];
    int32_t distance;
};

_Static_assert(sizeof(struct note) == 28, "without padding");

static bool is_copys(const struct note *note)
{
    return note->header.n_type == TCLK_COPY_NOTE_TYPE && note->header.n_namesz == sizeof note->name &&
           note->header.n_descsz == sizeof note->distance && memcmp(note->name, TCLK_COPY_NOTE, sizeof note->name) == 0;
}

static size_t padded(size_t bytes)
{
    return (bytes + 3) & ~(size_t)3;
}

static const struct tclk_copy *copy_in_notes(const char *at, size_t bytes)
{
    while (bytes >= sizeof(struct note)) {
        const struct note *note = (const struct note *)(const void *)at;
        if (is_copys(note)) {
            const char *end = (const char *)&note->distance;
            return (const struct tclk_copy *)(const void *)(end + note->distance);
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
static int find_in_object(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE || segment->p_align > 4 || !is_loaded(object, segment)) {
            continue;
        }
        const char *notes = (const char *)(uintptr_t)(object->dlpi_addr + segment->p_vaddr);
        const struct tclk_copy *copy = copy_in_notes(notes, segment->p_filesz);
        if (copy != NULL) {
            *(const struct tclk_copy **)found = copy;
            return 1;
        }
    }
    return 0;
}

static bool can_be_asked(const struct tclk_copy *copy)
{
    return copy->interface == TCLK_COPY_INTERFACE && copy->bytes >= sizeof *copy;
}

void tclk_first_copy_ask(const struct tclk_copy *first)
{
    version_of_stranger = first->version;
    __atomic_store_n(&tclk_first, can_be_asked(first) ? first : &stranger, __ATOMIC_RELEASE);
}

void tclk_first_copy_find(const struct tclk_copy *own)
{
    const struct tclk_copy *first = own;
    dl_iterate_phdr(find_in_object, &first);
    if (first != own) {
        tclk_first_copy_ask(first);
    }
}
