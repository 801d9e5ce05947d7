/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An agent that does nothing but say on standard error what it was asked, and answer. ANSWER, if it is defined, is what
 * it returns to everything; else 0, and 105 to "detach" where it is not attached.
 */

#include <stdio.h>
#include <string.h>

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

__attribute__((visibility("default"))) int Agent_OnAttach(void *vm, char *options, void *reserved)
{
    (void)vm;
    (void)reserved;
    fprintf(stderr, "agent: %s\n", options == NULL ? "" : options);
    return answer(options == NULL ? "" : options);
}
