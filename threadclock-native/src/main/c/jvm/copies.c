/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/copies.h"

#include "include/threadclock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

typedef const char *(*version_of_agent)(void);

static bool active;

/* Not in the header: only copies of this library ask. NULL while this copy is no agent. */
__attribute__((visibility("default"))) const char *tclk_agent_version(void);

const char *tclk_agent_version(void)
{
    return active ? tclk_version() : NULL;
}

void tclk_agent_set_active(void)
{
    active = true;
}

/* RTLD_NOLOAD: a handle of what is loaded already. */
static bool is_active_copy(const char *path)
{
    void *object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) {
        return false;
    }
    version_of_agent version;
    *(void **)&version = dlsym(object, "tclk_agent_version");
    bool is_one = version != NULL && version != tclk_agent_version && version() != NULL;
    dlclose(object);
    return is_one;
}

static const struct link_map *loaded_objects(void)
{
    struct link_map *own = NULL;
    void *program = dlopen(NULL, RTLD_LAZY);
    if (program == NULL || dlinfo(program, RTLD_DI_LINKMAP, &own) != 0) {
        return NULL;
    }
    dlclose(program);
    return own;
}

bool tclk_agent_other_copy(char *path, size_t size)
{
    for (const struct link_map *o = loaded_objects(); o != NULL; o = o->l_next) {
        if (o->l_name != NULL && o->l_name[0] == '/' && is_active_copy(o->l_name)) {
            snprintf(path, size, "%s", o->l_name);
            return true;
        }
    }
    return false;
}
