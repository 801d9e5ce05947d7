/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include "clock/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 4096
#define AREA (16 * BLOCK)

static int zero_fd;
static int null_fd;
static int file_fd;
static char *mapped; /* of AREA bytes, with all its pages */

/* Each thread of a workload copies into its own, so that they do not pass cache lines to and fro. */
static _Thread_local char copied[WORK_COPY_MAX];

__attribute__((noinline)) void work_spin(int64_t iterations)
{
    uint64_t x = (uint64_t)iterations;
    for (int64_t i = 0; i < iterations; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        __asm__ volatile("" : "+r"(x));
    }
}

void work_copy(int64_t bytes)
{
    if (pread(zero_fd, copied, (size_t)bytes, 0) != bytes) {
        abort();
    }
}

/* ---- calls, and what stands for them ---- */

/* `at` is a page for WORK_MMAP, where a fault is what is measured. */
typedef long call_function(char *at);

/* Uses syscall(), because libc's own read and write are cancellation points, which in a process with several threads
 * cost two atomic exchanges of user time in each call. */
static long call_getppid(char *at)
{
    (void)at;
    return syscall(SYS_getppid);
}

static long call_pread(char *at)
{
    return syscall(SYS_pread64, file_fd, at, BLOCK, 0);
}

static long call_write(char *at)
{
    return syscall(SYS_write, null_fd, at, BLOCK);
}

static long call_nothing(char *at)
{
    __asm__ volatile("" : : "r"(at) : "memory");
    return 0;
}

static long touch(char *at)
{
    *(volatile char *)at = 1;
    return 0;
}

/* Through a pointer that the compiler cannot see through: so real and replaced loop are one code. */
static call_function *volatile functions[WORK_CALLS][2] = {
    [WORK_GETPPID] = {call_nothing, call_getppid},
    [WORK_PREAD] = {call_nothing, call_pread},
    [WORK_WRITE] = {call_nothing, call_write},
    [WORK_MMAP] = {touch, touch},
};

static uint64_t bracket(call_function *function, char *at)
{
    uint64_t before = tclk_counter_read();
    function(at);
    return tclk_counter_read() - before;
}

/* ---- loops ---- */

static uint64_t map(bool is_real, bool is_bracketed, char **area)
{
    uint64_t before = is_bracketed ? tclk_counter_read() : 0;
    *area = mapped;
    if (is_real) {
        *area = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (*area == MAP_FAILED) {
        abort();
    }
    return is_bracketed ? tclk_counter_read() - before : 0;
}

static uint64_t unmap(bool is_real, bool is_bracketed, char *area)
{
    uint64_t before = is_bracketed ? tclk_counter_read() : 0;
    if (is_real) {
        munmap(area, AREA);
    }
    return is_bracketed ? tclk_counter_read() - before : 0;
}

static uint64_t map_and_touch(bool is_real, bool is_bracketed)
{
    char *area;
    call_function *function = functions[WORK_MMAP][is_real];
    uint64_t inside = map(is_real, is_bracketed, &area);
    for (char *page = area; page < area + AREA; page += BLOCK) {
        if (is_bracketed) {
            inside += bracket(function, page);
        } else {
            function(page);
        }
    }
    return inside + unmap(is_real, is_bracketed, area);
}

void work_call(enum work_call call, bool is_real, int64_t times)
{
    call_function *function = functions[call][is_real];
    for (int64_t i = 0; i < times; i++) {
        if (call == WORK_MMAP) {
            map_and_touch(is_real, false);
        } else {
            function(copied);
        }
    }
}

uint64_t work_call_bracketed(enum work_call call, bool is_real, int64_t times)
{
    call_function *function = functions[call][is_real];
    uint64_t inside = 0;
    for (int64_t i = 0; i < times; i++) {
        inside += call == WORK_MMAP ? map_and_touch(is_real, true) : bracket(function, copied);
    }
    return inside;
}

static int make_file(void)
{
    static const char block[BLOCK];
    file_fd = memfd_create("threadclock-accuracy", MFD_CLOEXEC);
    if (file_fd < 0) {
        return -errno;
    }
    return write(file_fd, block, BLOCK) == BLOCK ? 0 : -EIO;
}

int work_prepare(void)
{
    zero_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    mapped = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zero_fd < 0 || null_fd < 0 || mapped == MAP_FAILED) {
        return -errno;
    }
    memset(mapped, 1, AREA);
    return make_file();
}
