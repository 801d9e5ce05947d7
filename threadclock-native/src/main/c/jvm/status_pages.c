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

enum { MARK, USE, PAGES };

/* nothing ever accesses these pages */
static __attribute__((aligned(LARGEST_PAGE))) char pages[PAGES * LARGEST_PAGE];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static bool is_told;

static bool protect(int page, int protection)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    return mprotect(pages + (size_t)page * size, size, protection) == 0;
}

/* If this fails, other programs are told nothing, rather than something wrong. */
static void tell(bool in_use)
{
    int use = in_use ? PROT_NONE : PROT_READ | PROT_WRITE;
    is_told = protect(MARK, PROT_WRITE) && protect(USE, use);
    if (!is_told) {
        protect(MARK, PROT_READ | PROT_WRITE);
    }
}

void tclk_status_pages_tell_loaded(void)
{
    pthread_mutex_lock(&one_at_a_time);
    if (!is_told) {
        tell(false);
    }
    pthread_mutex_unlock(&one_at_a_time);
}

void tclk_status_pages_tell_in_use(bool in_use)
{
    pthread_mutex_lock(&one_at_a_time);
    tell(in_use);
    pthread_mutex_unlock(&one_at_a_time);
}
