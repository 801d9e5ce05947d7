/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An agent that does nothing but say on standard error what it was asked, and answer. ANSWER, if it is defined, is what
 * it returns to everything; else 0, and 105 to "detach" where it is not attached. It does not return before the file
 * AWAITED is there, if that is defined, and runs COMMAND before, if that is. With status_pages.c beside it, programs
 * outside see what it is.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((weak)) void tclk_status_pages_tell_in_use(_Bool in_use);

enum { NOT_ATTACHED = 105 };

static int attached;

static int answer(const char *options)
{
#ifdef ANSWER
    (void)options;
    return ANSWER;
#else
    int was_attached = attached;
    attached = strcmp(options, "detach") != 0;
    return attached || was_attached ? 0 : NOT_ATTACHED;
#endif
}

static void run_command(void)
{
#ifdef COMMAND
    if (system(COMMAND) != 0) {
        fprintf(stderr, "agent: %s failed\n", COMMAND);
    }
#endif
}

static void await_file(void)
{
#ifdef AWAITED
    while (access(AWAITED, F_OK) != 0) {
        usleep(10000);
    }
#endif
}

__attribute__((visibility("default"))) int Agent_OnAttach(void *vm, char *options, void *reserved)
{
    (void)vm;
    (void)reserved;
    fprintf(stderr, "agent: %s\n", options == NULL ? "" : options);
    int answered = answer(options == NULL ? "" : options);
    if (tclk_status_pages_tell_in_use != NULL) {
        tclk_status_pages_tell_in_use(attached);
    }
    run_command();
    await_file();
    return answered;
}
