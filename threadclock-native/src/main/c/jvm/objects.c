/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/objects.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* Paths, one after the other, each with its terminator. */
struct paths {
    char *text;
    size_t length;
};

/* The program itself has no path. */
static int note_path(struct dl_phdr_info *object, size_t size, void *context)
{
    struct paths *paths = context;
    (void)size;
    size_t length = object->dlpi_name == NULL ? 0 : strlen(object->dlpi_name);
    if (length == 0) {
        return 0;
    }
    char *text = realloc(paths->text, paths->length + length + 1);
    if (text == NULL) {
        return -1;
    }
    memcpy(text + paths->length, object->dlpi_name, length + 1);
    *paths = (struct paths){text, paths->length + length + 1};
    return 0;
}

bool tclk_objects_search(bool (*is_wanted)(const char *path, void *context), void *context)
{
    struct paths paths = {NULL, 0};
    bool found = false;
    dl_iterate_phdr(note_path, &paths);
    for (size_t at = 0; at < paths.length && !found; at += strlen(paths.text + at) + 1) {
        found = is_wanted(paths.text + at, context);
    }
    free(paths.text);
    return found;
}

struct named {
    const char *name;
    void *handle;
};

/* RTLD_NOLOAD returns a handle of a library that is loaded already. */
static bool is_named(const char *path, void *context)
{
    struct named *wanted = context;
    const char *slash = strrchr(path, '/');
    if (strcmp(slash == NULL ? path : slash + 1, wanted->name) == 0) {
        wanted->handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    }
    return wanted->handle != NULL;
}

void *tclk_objects_named(const char *name)
{
    struct named wanted = {name, NULL};
    tclk_objects_search(is_named, &wanted);
    return wanted.handle;
}
