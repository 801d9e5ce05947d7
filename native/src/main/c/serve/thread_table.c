/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/thread_table.h"

#include "kernel/clockid.h"
#include "kernel/memory.h"
#include "kernel/proc_stat.h"
#include "kernel/raw_clock.h"
#include "kernel/tid.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROOM_AT_FIRST 256u
#define ENTRIES_BYTES ((size_t)1 << 18) /* some 8,000 threads per call */

/* As many threads may have ended as have started since, and only a new listing tells. */
#define LISTING_EVERY_NS INT64_C(5000000000)

/* For a moment, a new thread has the name of the thread that created it. */
#define SETTLED_NS INT64_C(200000000)

/* An entry as getdents64(2) writes it. */
struct entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

static size_t threads_bytes(size_t room)
{
    return room * sizeof(struct tclk_thread_row);
}

static size_t places_bytes(size_t room)
{
    return 2 * room * sizeof(uint32_t);
}

/* ---- places ---- */

static uint32_t home_of(const struct tclk_thread_table *table, pid_t tid)
{
    return ((uint32_t)tid * 2654435769u >> 7) & (2 * table->room - 1);
}

/* The place of the tid's index, or the one where it would be. */
static uint32_t *place_of(const struct tclk_thread_table *table, pid_t tid)
{
    uint32_t mask = 2 * table->room - 1;
    uint32_t at = home_of(table, tid);
    while (table->places[at] != 0 && table->threads[table->places[at] - 1].tid != tid) {
        at = (at + 1) & mask;
    }
    return &table->places[at];
}

static void place_all(struct tclk_thread_table *table)
{
    memset(table->places, 0, places_bytes(table->room));
    for (uint32_t i = 0; i < table->count; i++) {
        *place_of(table, table->threads[i].tid) = i + 1;
    }
}

struct tclk_thread_row *tclk_thread_table_find(const struct tclk_thread_table *table, pid_t tid)
{
    uint32_t place = *place_of(table, tid);
    return place == 0 ? NULL : &table->threads[place - 1];
}

/* ---- memory ---- */

static void unmap(void *memory, size_t bytes)
{
    if (memory != NULL) {
        tclk_memory_unmap(memory, bytes);
    }
}

static bool make_room(struct tclk_thread_table *table, uint32_t room)
{
    struct tclk_thread_row *threads = tclk_memory_map(threads_bytes(room));
    uint32_t *places = tclk_memory_map(places_bytes(room));
    if (threads == NULL || places == NULL) {
        unmap(threads, threads_bytes(room));
        unmap(places, places_bytes(room));
        return false;
    }
    if (table->count > 0) {
        memcpy(threads, table->threads, threads_bytes(table->count));
    }
    unmap(table->threads, threads_bytes(table->room));
    unmap(table->places, places_bytes(table->room));
    table->threads = threads;
    table->places = places;
    table->room = room;
    place_all(table);
    return true;
}

/* ---- opening ---- */

static const char *path_of(pid_t tid, const char *file, char path[64])
{
    char digits[12];
    size_t first = sizeof digits;
    size_t at = 0;
    for (uint32_t n = (uint32_t)tid; n != 0; n /= 10) {
        digits[--first] = (char)('0' + n % 10);
    }
    memcpy(path, digits + first, sizeof digits - first);
    at = sizeof digits - first;
    for (; *file != '\0'; file++) {
        path[at++] = *file;
    }
    path[at] = '\0';
    return path;
}

static int open_memory(struct tclk_thread_table *table)
{
    char path[64];
    if (faccessat(table->tasks, path_of(tclk_tid_own(), "/stat", path), F_OK, 0) != 0) {
        return -ENOENT;
    }
    table->entries = tclk_memory_map(ENTRIES_BYTES);
    return table->entries != NULL && make_room(table, ROOM_AT_FIRST) ? 0 : -ENOMEM;
}

int tclk_thread_table_open(struct tclk_thread_table *table)
{
    *table = (struct tclk_thread_table){.tasks = -1};
    int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (tasks < 0) {
        return -errno;
    }
    table->tasks = tasks;
    int error = open_memory(table);
    if (error != 0) {
        tclk_thread_table_close(table);
    }
    return error;
}

void tclk_thread_table_close(struct tclk_thread_table *table)
{
    int tasks = table->tasks;
    unmap(table->threads, threads_bytes(table->room));
    unmap(table->places, places_bytes(table->room));
    unmap(table->entries, ENTRIES_BYTES);
    *table = (struct tclk_thread_table){.tasks = -1};
    if (tasks >= 0) {
        close(tasks);
    }
}

/* ---- listing ---- */

/* 0 = "." and "..". */
static pid_t tid_of(const char *name)
{
    uint32_t tid = 0;
    for (; *name >= '0' && *name <= '9'; name++) {
        tid = tid * 10 + (uint32_t)(*name - '0');
    }
    return (pid_t)tid;
}

static bool has_room(struct tclk_thread_table *table)
{
    return table->count < table->room || (table->room < TCLK_THREAD_TABLE_MAX && make_room(table, 2 * table->room));
}

static void add(struct tclk_thread_table *table, pid_t tid)
{
    if (table->threads == NULL || !has_room(table)) {
        table->is_cut = true;
        return;
    }
    table->threads[table->count] = (struct tclk_thread_row){.tid = tid, .round = table->round};
    *place_of(table, tid) = ++table->count;
}

static void list(struct tclk_thread_table *table, const struct entry *entry)
{
    pid_t tid = tid_of(entry->name);
    if (tid == 0) {
        return;
    }
    struct tclk_thread_row *thread = tclk_thread_table_find(table, tid);
    if (thread == NULL) {
        add(table, tid);
    } else {
        thread->round = table->round;
    }
}

static bool list_all(struct tclk_thread_table *table)
{
    long bytes;
    if (lseek(table->tasks, 0, SEEK_SET) != 0) {
        return false;
    }
    while ((bytes = syscall(SYS_getdents64, table->tasks, table->entries, ENTRIES_BYTES)) > 0) {
        for (long at = 0; at < bytes;) {
            const void *entry_at = table->entries + at;
            const struct entry *entry = entry_at;
            list(table, entry);
            at += entry->length;
        }
    }
    return bytes == 0;
}

/* The kernel may leave out living threads while others end, so ask for each thread that is not listed. */
static bool is_there(const struct tclk_thread_table *table, const struct tclk_thread_row *thread)
{
    int64_t cpu_ns;
    return thread->round == table->round || tclk_clock_read_thread(thread->tid, TCLK_CLOCK_SCHED, &cpu_ns) != -ESRCH;
}

static bool is_unsettled(const struct tclk_thread_row *thread)
{
    return thread->name_due_ns != 0 && thread->name_due_ns != INT64_MAX;
}

static void remove_ended(struct tclk_thread_table *table)
{
    uint32_t kept = 0;
    table->unsettled = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const struct tclk_thread_row *thread = &table->threads[i];
        if (is_there(table, thread)) {
            table->unsettled += is_unsettled(thread);
            table->threads[kept++] = *thread;
        }
    }
    if (kept != table->count) {
        table->count = kept;
        place_all(table);
    }
}

static uint32_t links_of(const struct tclk_thread_table *table)
{
    struct stat status;
    return fstat(table->tasks, &status) == 0 ? (uint32_t)status.st_nlink : 0;
}

uint32_t tclk_thread_table_threads(const struct tclk_thread_table *table)
{
    uint32_t links = links_of(table);
    return links > 2 ? links - 2 : table->count;
}

/* Reads the number of threads first, so that a thread that starts during the listing makes the next one due. */
static void update(struct tclk_thread_table *table, uint32_t links, int64_t now_ns)
{
    table->round++;
    table->is_cut = false;
    if (list_all(table)) {
        remove_ended(table);
    }
    table->links = links;
    table->has_ended = false;
    table->due_ns = now_ns + LISTING_EVERY_NS;
}

bool tclk_thread_table_update(struct tclk_thread_table *table, int64_t now_ns)
{
    if (now_ns < table->rest_ns) {
        return false;
    }
    uint32_t links = links_of(table);
    if (links == table->links && !table->has_ended && now_ns < table->due_ns) {
        return false;
    }
    update(table, links, now_ns);
    return true;
}

/* ---- names ---- */

static void tell(struct tclk_thread_table *table, struct tclk_thread_row *thread)
{
    thread->named = ++table->named;
}

static size_t read_stat(const struct tclk_thread_table *table, pid_t tid, char *line, size_t size)
{
    char path[64];
    int file = openat(table->tasks, path_of(tid, "/stat", path), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    ssize_t bytes = read(file, line, size);
    close(file);
    return bytes > 0 ? (size_t)bytes : 0;
}

static void take_name(struct tclk_thread_table *table, struct tclk_thread_row *thread,
                      const struct tclk_proc_stat *stat)
{
    char comm[TCLK_REPLY_COMM] = {0};
    int64_t start_ns = (int64_t)stat->starttime_ticks * INT64_C(10000000);
    memcpy(comm, stat->comm, stat->comm_len < sizeof comm ? stat->comm_len : sizeof comm - 1);
    if (thread->named != 0 && start_ns == thread->start_ns && memcmp(comm, thread->comm, sizeof comm) == 0) {
        return;
    }
    thread->java_id = start_ns == thread->start_ns ? thread->java_id : 0;
    thread->carries &= start_ns == thread->start_ns;
    thread->start_ns = start_ns;
    memcpy(thread->comm, comm, sizeof comm);
    tell(table, thread);
}

static bool ask_name(struct tclk_thread_table *table, struct tclk_thread_row *thread)
{
    char line[TCLK_PROC_STAT_MAX];
    struct tclk_proc_stat stat;
    size_t length = read_stat(table, thread->tid, line, sizeof line);
    if (tclk_proc_stat_parse(line, length, &stat) != 0) {
        return false;
    }
    take_name(table, thread, &stat);
    return true;
}

/* The kernel tells the start in units of 10 ms, rounded down. */
static bool is_young(const struct tclk_thread_row *thread)
{
    return tclk_boot_clock_ns() - thread->start_ns < SETTLED_NS;
}

bool tclk_thread_table_name(struct tclk_thread_table *table, struct tclk_thread_row *thread, int64_t now_ns)
{
    if (now_ns < thread->name_due_ns) {
        return false;
    }
    table->unsettled -= thread->name_due_ns != 0;
    thread->name_due_ns = INT64_MAX;
    if (!ask_name(table, thread)) {
        table->has_ended = true;
    } else if (is_young(thread)) {
        thread->name_due_ns = now_ns + SETTLED_NS;
        table->unsettled++;
    }
    return true;
}

void tclk_thread_table_doubt(struct tclk_thread_table *table, struct tclk_thread_row *thread)
{
    table->has_ended = true;
    table->unsettled += !is_unsettled(thread);
    thread->name_due_ns = 1;
}

void tclk_thread_table_name_again(struct tclk_thread_table *table, int64_t now_ns)
{
    if (table->count > 0) {
        struct tclk_thread_row *thread = &table->threads[table->name_hand++ % table->count];
        if (thread->name_due_ns > now_ns) {
            ask_name(table, thread);
        }
    }
}

/* A thread that started after that moment is another one, which has got the tid since. */
void tclk_thread_table_tell_java_id(struct tclk_thread_table *table, pid_t tid, int64_t java_id, int64_t alive_at_ns)
{
    struct tclk_thread_row *thread = tclk_thread_table_find(table, tid);
    if (thread != NULL && thread->named != 0 && thread->start_ns <= alive_at_ns && thread->java_id != java_id) {
        thread->java_id = java_id;
        tell(table, thread);
    }
}

void tclk_thread_table_tell_carrier(struct tclk_thread_table *table, struct tclk_thread_row *thread)
{
    if (thread->named != 0 && !thread->carries) {
        thread->carries = true;
        tell(table, thread);
    }
}
