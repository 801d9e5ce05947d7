/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/copies.h"

#include "include/threadclock.h"
#include "jvm/objects.h"

#include <dlfcn.h>
#include <stdio.h>

typedef const char *(*version_of_agent)(void);

static _Atomic bool in_use;

/* Not in the header: only copies of this library ask. NULL while this copy is no agent. */
__attribute__((visibility("default"))) const char *tclk_agent_version(void);

const char *tclk_agent_version(void)
{
    return in_use ? tclk_version() : NULL;
}

void tclk_agent_set_active(bool active)
{
    in_use = active;
}

struct found {
    char *path;
    size_t size;
};

/* RTLD_NOLOAD: a handle of what is loaded already. */
static bool is_active_copy(const char *path, void *context)
{
    struct found *found = context;
    void *object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) {
        return false;
    }
    version_of_agent version;
    *(void **)&version = dlsym(object, "tclk_agent_version");
    bool is_one = version != NULL && version != tclk_agent_version && version() != NULL;
    dlclose(object);
    if (is_one) {
        snprintf(found->path, found->size, "%s", path);
    }
    return is_one;
}

bool tclk_agent_other_copy(char *path, size_t size)
{
    struct found found = {path, size};
    return tclk_objects_search(is_active_copy, &found);
}
