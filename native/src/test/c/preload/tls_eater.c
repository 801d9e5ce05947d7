/* SPDX-License-Identifier: Apache-2.0 */

/* A library with BYTES of thread-local memory that must be static. Loading it fails if that much is not left. */

#ifndef BYTES
#define BYTES 8
#endif

extern _Thread_local char tls_eaten[BYTES];
_Thread_local char tls_eaten[BYTES] __attribute__((tls_model("initial-exec"), aligned(8)));

char *tls_eater_address(void);
char *tls_eater_address(void)
{
    return tls_eaten;
}
