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

/* This is not in the header, because only copies of this library call it. NULL while this copy is no agent, or is
 * not loaded by Java code. */
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

static bool is_other(version_of version, version_of own)
{
    return version != NULL && version != own && version() != NULL;
}

static bool has_agent_in_use(void *object)
{
    version_of version;
    *(void **)&version = dlsym(object, "tclk_agent_version");
    return is_other(version, tclk_agent_version);
}

struct found {
    char *path;
    size_t size;
};

/* RTLD_NOLOAD returns a handle of a library that is loaded already. */
static bool is_active_copy(const char *path, void *context)
{
    struct found *found = context;
    void *object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) {
        return false;
    }
    bool is_one = has_agent_in_use(object);
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

/* A copy of this version that Java code has loaded, whether its agent is in use or not. */
struct library {
    bool in_use;
    tclk_on_attach on_attach;
};

static bool is_library_of_this_version(void *object)
{
    version_of version;
    *(void **)&version = dlsym(object, "tclk_library_version");
    return is_other(version, tclk_library_version) && strcmp(version(), tclk_version()) == 0;
}

static bool is_library_copy(const char *path, void *context)
{
    struct library *wanted = context;
    void *object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) {
        return false;
    }
    if (is_library_of_this_version(object) && (!wanted->in_use || has_agent_in_use(object))) {
        *(void **)&wanted->on_attach = dlsym(object, "Agent_OnAttach");
    }
    dlclose(object);
    return wanted->on_attach != NULL;
}

static tclk_on_attach library_copy(bool in_use_alone)
{
    struct library wanted = {in_use_alone, NULL};
    tclk_objects_search(is_library_copy, &wanted);
    return wanted.on_attach;
}

tclk_on_attach tclk_copies_on_attach(void)
{
    if (in_use) {
        return NULL;
    }
    tclk_on_attach of_one_in_use = library_copy(true);
    return of_one_in_use != NULL || is_library ? of_one_in_use : library_copy(false);
}
