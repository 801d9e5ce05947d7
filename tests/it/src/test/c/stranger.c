/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A library of somebody else's: whoever loads it leaves the file SIGN behind. It has the library's protocol, and says
 * that it attaches.
 */

#include <fcntl.h>
#include <unistd.h>

__attribute__((visibility("default"), used)) const char protocol[] = PROTOCOL;

__attribute__((constructor)) static void leave_sign(void)
{
    close(open(SIGN, O_CREAT | O_WRONLY, 0644));
}

__attribute__((visibility("default"))) int Agent_OnAttach(void *vm, char *options, void *reserved)
{
    (void)vm;
    (void)options;
    (void)reserved;
    return 0;
}
