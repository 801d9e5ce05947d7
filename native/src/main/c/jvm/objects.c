/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/objects.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The beginning of a file: its tables of segments and sections, and most often its build id. */
#define HEAD_BYTES 1024

struct named {
    const char *name;
    char *path;
    const void *head; /* in memory; NULL if it does not begin with its file's beginning */
};

static const void *head_of(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_offset == 0 && segment->p_vaddr == 0 &&
            segment->p_filesz >= HEAD_BYTES) {
            return (const void *)object->dlpi_addr; /* NOLINT(performance-no-int-to-ptr) */
        }
    }
    return NULL;
}

static int note_path(struct dl_phdr_info *object, size_t size, void *context)
{
    struct named *wanted = context;
    const char *path = object->dlpi_name == NULL ? "" : object->dlpi_name; /* the program itself has none */
    const char *slash = strrchr(path, '/');
    (void)size;
    if (strcmp(slash == NULL ? path : slash + 1, wanted->name) == 0) {
        wanted->path = strdup(path);
        wanted->head = head_of(object);
    }
    return wanted->path != NULL;
}

/* RTLD_NOLOAD returns a handle of a library that is loaded already. */
void *tclk_objects_named(const char *name)
{
    struct named wanted = {name, NULL, NULL};
    dl_iterate_phdr(note_path, &wanted);
    void *handle = wanted.path == NULL ? NULL : dlopen(wanted.path, RTLD_LAZY | RTLD_NOLOAD);
    free(wanted.path);
    return handle;
}

/* Another build may have the name by now. The content decides, because overlayfs may show another inode in maps. */
static bool is_file_of(const struct named *object)
{
    char head[HEAD_BYTES];
    int fd = open(object->path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? -1 : read(fd, head, sizeof head);
    close(fd);
    return count == HEAD_BYTES && (object->head == NULL || memcmp(head, object->head, sizeof head) == 0);
}

static bool has_neighbour(const char *path, const char *name)
{
    char other[PATH_MAX];
    int folder = (int)(strrchr(path, '/') - path);
    int length = snprintf(other, sizeof other, "%.*s/%s", folder, path, name);
    return length < (int)sizeof other && access(other, R_OK) == 0;
}

bool tclk_objects_have_beside(const char *name, const char *neighbour)
{
    struct named object = {name, NULL, NULL};
    dl_iterate_phdr(note_path, &object);
    bool has = object.path == NULL || strchr(object.path, '/') == NULL ||
               (is_file_of(&object) && has_neighbour(object.path, neighbour));
    free(object.path);
    return has;
}
