/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fork.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__GLIBC__)

/* glibc's pthread_atfork is linked statically on most machines, and calls this. It is weak, because musl also loads
 * a library that was built against glibc, and musl has pthread_atfork only. */
extern int glibcs_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                         void *library) __asm__("__register_atfork") __attribute__((weak));

static int watch(void (*child)(void))
{
    if (glibcs_atfork != NULL) {
        return glibcs_atfork(NULL, NULL, child, NULL);
    }
    int (*musls)(void (*prepare)(void), void (*parent)(void), void (*child)(void));
    *(void **)&musls = dlsym(RTLD_DEFAULT, "pthread_atfork");
    return musls == NULL ? ENOSYS : musls(NULL, NULL, child);
}

#else

static int watch(void (*child)(void))
{
    return pthread_atfork(NULL, NULL, child);
}

#endif

int tclk_fork_watch(void (*child)(void))
{
    return -watch(child);
}
