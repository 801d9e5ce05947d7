/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/first_copy.h"

#include "clock/notes.h"
#include "clock/text.h"

#include <errno.h>
#include <string.h>

const struct tclk_copy *tclk_first;

/* ---- a first copy that cannot be asked ---- */

static const char *(*version_of_stranger)(void);

static int refuse_times(struct tclk_times *times)
{
    (void)times;
    return -EEXIST;
}

static int refuse_tid_times(pid_t tid, struct tclk_times *times)
{
    (void)tid;
    (void)times;
    return -EEXIST;
}

static int refuse_tid_cpu_ns(pid_t tid, int64_t *cpu_ns)
{
    (void)tid;
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

static void count_nothing(int change)
{
    (void)change;
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
    .count_filter = count_nothing,
};

/* ---- finding it ---- */

static bool is_copy(const void *table, const char *path, void *found)
{
    (void)path;
    *(const void **)found = table;
    return true;
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
    tclk_notes_search(TCLK_NOTE_COPY, is_copy, &first);
    if (first != own) {
        tclk_first_copy_ask(first);
    }
}
