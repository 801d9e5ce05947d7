/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A reading allocates nothing, except in a process that had 32 keys (pthread_key_create(3)) before the library was
 * loaded. There, glibc allocates a block for later keys in each thread's first reading. This program restarts itself
 * for that, because the library takes its key before main().
 */

#include "real.h"

#define KEYS "TCLK_TEST_KEYS"

/* glibc's PTHREAD_KEY_2NDLEVEL_SIZE. */
#define KEYS_WITHOUT_BLOCK 32

#if defined(__GLIBC__) && !defined(TCLK_SANITIZED) /* a sanitizer allocates by itself */

extern void *libcs_calloc(size_t n, size_t size) __asm__("__libc_calloc");

static _Thread_local int allocations;

void *calloc(size_t n, size_t size)
{
    allocations++;
    return libcs_calloc(n, size);
}

/* Runs before the library's constructor, which has no priority. */
__attribute__((constructor(101))) static void take_keys(void)
{
    const char *keys = getenv(KEYS);
    for (int i = keys == NULL ? 0 : atoi(keys); i > 0; i--) {
        pthread_key_t key;
        pthread_key_create(&key, NULL);
    }
}

static int allocated_by_reading(void)
{
    int before = allocations;
    times_now();
    return allocations - before;
}

static void *read_twice(void *counts)
{
    ((int *)counts)[0] = allocated_by_reading();
    ((int *)counts)[1] = allocated_by_reading();
    return NULL;
}

static void with_keys(int keys)
{
    int counts[2] = {-1, -1};
    bool has_block = keys >= KEYS_WITHOUT_BLOCK;
    times_now();
    in_thread(read_twice, counts);
    is_ns(counts[0], has_block, "%d keys before: a thread's first reading allocates %s", keys,
          has_block ? "libc's block" : "nothing");
    is_ns(counts[1], 0, "%d keys before: its second nothing", keys);
}

int main(int count, char **arguments)
{
    const char *keys = getenv(KEYS);
    if (keys == NULL) {
        setenv(KEYS, "33", 1);
        with_keys(0);
        execv("/proc/self/exe", arguments);
        return 2;
    }
    (void)count;
    tap_number = 2; /* the program before has printed this many */
    with_keys(atoi(keys));
    return done();
}

#else

int main(void)
{
    skip("what a reading allocates is known", "glibc, and no sanitizer, which allocates by itself");
    return done();
}

#endif
