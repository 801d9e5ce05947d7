/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/status_pages.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__
#define LARGEST_PAGE 4096
#else
#define LARGEST_PAGE 65536
#endif

enum { IMPOSSIBLE, VIRTUAL, MARK, USE, PAGES };

/* nothing ever accesses these pages */
static __attribute__((aligned(LARGEST_PAGE))) char pages[PAGES * LARGEST_PAGE];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static enum tclk_virtual_status virtual_threads;
static bool is_in_use;
static bool is_told;

static bool protect(int page, int protection)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    return mprotect(pages + (size_t)page * size, size, protection) == 0;
}

static bool protect_if(bool is_so, int page, int protection, int otherwise)
{
    return protect(page, is_so ? protection : otherwise);
}

/* If this fails, other programs are told nothing, rather than something wrong. */
static void tell(void)
{
    is_told = protect_if(virtual_threads == TCLK_VIRTUAL_IMPOSSIBLE, IMPOSSIBLE, PROT_NONE, PROT_READ | PROT_WRITE) &&
              protect_if(virtual_threads == TCLK_VIRTUAL_ON, VIRTUAL, PROT_NONE, PROT_READ) &&
              protect(MARK, PROT_WRITE) && protect_if(is_in_use, USE, PROT_NONE, PROT_READ | PROT_WRITE);
    if (!is_told) {
        protect(MARK, PROT_READ | PROT_WRITE);
    }
}

void tclk_status_pages_tell_loaded(void)
{
    pthread_mutex_lock(&one_at_a_time);
    if (!is_told) {
        tell();
    }
    pthread_mutex_unlock(&one_at_a_time);
}

void tclk_status_pages_tell_in_use(bool in_use)
{
    pthread_mutex_lock(&one_at_a_time);
    is_in_use = in_use;
    tell();
    pthread_mutex_unlock(&one_at_a_time);
}

void tclk_status_pages_tell_virtual(enum tclk_virtual_status status)
{
    pthread_mutex_lock(&one_at_a_time);
    virtual_threads = status;
    tell();
    pthread_mutex_unlock(&one_at_a_time);
}
