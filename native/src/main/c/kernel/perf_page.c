/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/perf_page.h"

#include "kernel/file.h"
#include "kernel/filter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(offsetof(struct perf_event_mmap_page, lock) == offsetof(struct tclk_perf_page, lock_and_index),
               "as the kernel has it");
_Static_assert(offsetof(struct perf_event_mmap_page, index) == 12, "next to lock");

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static long call_perf_event_open(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_SW_DUMMY,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void try_perf_event_open(void)
{
    call_perf_event_open();
}

int tclk_perf_permit(void)
{
    static struct tclk_guarded guarded = {.call = try_perf_event_open};
    return tclk_filter_permit(&guarded);
}

static int open_event(void)
{
    int error = tclk_perf_permit();
    if (error != 0) {
        return error;
    }
    long fd = call_perf_event_open();
    return fd < 0 ? -errno : (int)fd;
}

int tclk_perf_page_map(struct tclk_perf_page **page, enum tclk_perf_step *step)
{
    *step = TCLK_PERF_OPEN;
    int fd = open_event();
    if (fd < 0) {
        return fd;
    }
    *step = TCLK_PERF_MMAP;
    void *memory = mmap(NULL, page_bytes(), PROT_READ, MAP_SHARED, fd, 0);
    int error = memory == MAP_FAILED ? -errno : 0;
    tclk_file_close(fd);
    if (error == 0) {
        *page = memory;
    }
    return error;
}

void tclk_perf_page_unmap(struct tclk_perf_page *page)
{
    munmap(page, page_bytes());
}

static int parse_number(const char *text, int *value)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text) {
        return -EBADMSG;
    }
    *value = (int)number;
    return 0;
}

int tclk_perf_setting(const char *path, int *value)
{
    char text[16] = {0};
    size_t len;
    int error = tclk_file_read(path, text, sizeof text - 1, &len);
    return error == 0 ? parse_number(text, value) : error;
}

int tclk_perf_paranoid(int *level)
{
    return tclk_perf_setting("/proc/sys/kernel/perf_event_paranoid", level);
}
