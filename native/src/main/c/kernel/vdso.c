/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/vdso.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    size_t bytes; /* of the names */
};

/* Addresses in the image are relative to where its first segment is meant to be. */
static uintptr_t load_bias(const ElfW(Ehdr) * image, const ElfW(Phdr) * segments)
{
    for (int i = 0; i < image->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD) {
            return (uintptr_t)image + segments[i].p_offset - segments[i].p_vaddr;
        }
    }
    return (uintptr_t)image;
}

static struct tables tables_of(const ElfW(Ehdr) * image, const ElfW(Phdr) * segments, uintptr_t bias)
{
    struct tables tables = {NULL, NULL, 0};
    for (int i = 0; i < image->e_phnum; i++) {
        if (segments[i].p_type != PT_DYNAMIC) {
            continue;
        }
        for (const ElfW(Dyn) *entry = (const void *)(bias + segments[i].p_vaddr); entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_SYMTAB) {
                tables.symbols = (const void *)(bias + entry->d_un.d_ptr);
            } else if (entry->d_tag == DT_STRTAB) {
                tables.names = (const void *)(bias + entry->d_un.d_ptr);
            } else if (entry->d_tag == DT_STRSZ) {
                tables.bytes = entry->d_un.d_val;
            }
        }
    }
    return tables;
}

/* The kernel's linker scripts put the names right behind the symbols, which is where the symbols end. If a kernel had
 * something in between, its offsets would mostly be no names, and must not lead out of the image. */
void *tclk_vdso_function(const char *name)
{
    const ElfW(Ehdr) *image = (const void *)getauxval(AT_SYSINFO_EHDR);
    if (image == NULL) {
        return NULL;
    }
    const ElfW(Phdr) *segments = (const void *)((uintptr_t)image + image->e_phoff);
    uintptr_t bias = load_bias(image, segments);
    struct tables tables = tables_of(image, segments, bias);
    if (tables.symbols == NULL) {
        return NULL;
    }
    for (const ElfW(Sym) *symbol = tables.symbols; (uintptr_t)(symbol + 1) <= (uintptr_t)tables.names; symbol++) {
        if (symbol->st_shndx != SHN_UNDEF && symbol->st_name < tables.bytes &&
            strcmp(tables.names + symbol->st_name, name) == 0) {
            return (void *)(bias + symbol->st_value);
        }
    }
    return NULL;
}
