/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/copies.h"

#include "include/threadclock.h"
#include "jvm/objects.h"
#include "jvm/status_pages.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef const char *(*version_of)(void);

static _Atomic bool in_use;
static _Atomic bool is_library;

/* Not in the header: only copies of this library ask. NULL while this copy is no agent, or is not loaded by
 * Java code. */
__attribute__((visibility("default"))) const char *tclk_agent_version(void);
__attribute__((visibility("default"))) const char *tclk_library_version(void);

const char *tclk_agent_version(void)
{
    return in_use ? tclk_version() : NULL;
}

void tclk_agent_set_active(bool active)
{
    in_use = active;
    tclk_status_pages_tell_in_use(active);
}

const char *tclk_library_version(void)
{
    return is_library ? tclk_version() : NULL;
}

void tclk_library_set_loaded(void)
{
    is_library = true;
    tclk_status_pages_tell_loaded();
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
    version_of version;
    *(void **)&version = dlsym(object, "tclk_agent_version");
    bool is_one = version != NULL && version != tclk_agent_version && version() != NULL;
    dlclose(object);
    if (is_one) {
        (void)snprintf(found->path, found->size, "%s", path);
    }
    return is_one;
}

bool tclk_agent_other_copy(char *path, size_t size)
{
    struct found found = {path, size};
    return tclk_objects_search(is_active_copy, &found);
}

static bool is_library_of_this_version(void *object)
{
    version_of version;
    *(void **)&version = dlsym(object, "tclk_library_version");
    const char *its = version == NULL || version == tclk_library_version ? NULL : version();
    return its != NULL && strcmp(its, tclk_version()) == 0;
}

static bool is_library_copy(const char *path, void *context)
{
    tclk_on_attach *on_attach = context;
    void *object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) {
        return false;
    }
    if (is_library_of_this_version(object)) {
        *(void **)on_attach = dlsym(object, "Agent_OnAttach");
    }
    dlclose(object);
    return *on_attach != NULL;
}

tclk_on_attach tclk_library_copy_on_attach(void)
{
    tclk_on_attach on_attach = NULL;
    if (!is_library && !in_use) {
        tclk_objects_search(is_library_copy, &on_attach);
    }
    return on_attach;
}
