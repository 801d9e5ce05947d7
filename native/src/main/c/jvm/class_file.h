/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_CLASS_FILE_H
#define TCLK_JVM_CLASS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A class file (The Java Virtual Machine Specification, chapter 4), as the JVM or another agent hands it over. No
 * content is trusted: a read beyond the end gives 0 and makes the reader bad for good.
 */
struct tclk_class_reader {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool bad;
};

uint32_t tclk_class_u1(struct tclk_class_reader *reader);
uint32_t tclk_class_u2(struct tclk_class_reader *reader);
uint32_t tclk_class_u4(struct tclk_class_reader *reader);
void tclk_class_skip(struct tclk_class_reader *reader, size_t bytes);

/* Returns a reader of the next bytes alone, and passes over them. */
struct tclk_class_reader tclk_class_part(struct tclk_class_reader *reader, size_t bytes);

/* A class file, read up to its fields. */
struct tclk_class_file {
    struct tclk_class_reader reader; /* at the fields */
    size_t constants_end;
    uint32_t count; /* of constants, as the file says it: one more than the last index */
    uint32_t this_class;
    uint32_t super_class;
    uint32_t *constants; /* offset of each constant's tag; 0: there is none at this index */
};

/* False: this is no class file, or there is no memory, and there is nothing to close. */
bool tclk_class_open(const uint8_t *bytes, size_t size, struct tclk_class_file *file);
void tclk_class_close(struct tclk_class_file *file);

/* Whether the constant is this text. */
bool tclk_class_is_text(const struct tclk_class_file *file, uint32_t index, const char *text);

/* Whether the constant is a reference to a field of this very class. */
bool tclk_class_is_own_field(const struct tclk_class_file *file, uint32_t index, const char *name,
                             const char *signature);

/* Whether the constant is a reference to a constructor of the class above. */
bool tclk_class_is_super_constructor(const struct tclk_class_file *file, uint32_t index);

/* Passes over the next instruction; bad: it is cut short or not known. `code` begins at the first instruction of its
 * method. */
void tclk_class_instruction(struct tclk_class_reader *code);

#endif
