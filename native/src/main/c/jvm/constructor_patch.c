/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/constructor_patch.h"

#include "jvm/class_file.h"

#include <stdbool.h>
#include <string.h>

#define FIELD "runContinuation"
#define FIELD_TYPE "Ljava/lang/Runnable;"
#define CALL_TYPE "(Ljava/lang/Thread;Ljava/lang/Runnable;)V"

#define PUTFIELD 181
#define INVOKESPECIAL 183
#define INVOKESTATIC 184
#define INSTRUCTION_BYTES 3u
#define U2_MAX 65535u

/* The constants that are appended, in this order. */
enum { CLASS_NAME, CLASS, METHOD_NAME, METHOD_TYPE, NAME_AND_TYPE, METHOD, CONSTANTS };

/* Where the field is set. */
struct site {
    size_t at; /* offset of the putfield in the file */
    unsigned in_constructors;
    unsigned elsewhere;
    bool is_early;   /* the constructor of the class above has not been called */
    bool is_unknown; /* a method has an instruction that is not known */
};

struct writer {
    uint8_t *to;
    size_t size;
    size_t room;
    bool full;
};

/* ---- the place ---- */

static void skip_attributes(struct tclk_class_reader *reader)
{
    uint32_t count = tclk_class_u2(reader);
    for (uint32_t i = 0; i < count && !reader->bad; i++) {
        tclk_class_skip(reader, 2);
        tclk_class_skip(reader, tclk_class_u4(reader));
    }
}

static void note(struct site *site, size_t at, bool is_constructor, bool is_early)
{
    if (is_constructor) {
        site->in_constructors++;
        site->at = at;
        site->is_early |= is_early;
    } else {
        site->elsewhere++;
    }
}

/* `code` begins at `start` in the file. */
static void search_code(const struct tclk_class_file *file, struct tclk_class_reader code, size_t start,
                        bool is_constructor, struct site *site)
{
    bool is_early = true;
    while (code.at < code.size && !code.bad) {
        struct tclk_class_reader operand = code;
        size_t at = start + code.at;
        uint32_t opcode = tclk_class_u1(&operand);
        uint32_t index = opcode == PUTFIELD || opcode == INVOKESPECIAL ? tclk_class_u2(&operand) : 0;
        tclk_class_instruction(&code);
        if (opcode == INVOKESPECIAL && tclk_class_is_super_constructor(file, index)) {
            is_early = false;
        } else if (opcode == PUTFIELD && tclk_class_is_own_field(file, index, FIELD, FIELD_TYPE)) {
            note(site, at, is_constructor, is_early);
        }
    }
    site->is_unknown |= code.bad;
}

static void search_method(const struct tclk_class_file *file, struct tclk_class_reader *reader, struct site *site)
{
    tclk_class_skip(reader, 2); /* flags */
    bool is_constructor = tclk_class_is_text(file, tclk_class_u2(reader), "<init>");
    tclk_class_skip(reader, 2); /* type */
    uint32_t attributes = tclk_class_u2(reader);
    for (uint32_t i = 0; i < attributes && !reader->bad; i++) {
        bool is_code = tclk_class_is_text(file, tclk_class_u2(reader), "Code");
        struct tclk_class_reader content = tclk_class_part(reader, tclk_class_u4(reader));
        if (is_code) {
            tclk_class_skip(&content, 4); /* sizes of the stack and of the locals */
            struct tclk_class_reader code = tclk_class_part(&content, tclk_class_u4(&content));
            search_code(file, code, (size_t)(code.bytes - file->reader.bytes), is_constructor, site);
        }
    }
}

/* False: the file is cut short. */
static bool find_site(const struct tclk_class_file *file, struct site *site)
{
    struct tclk_class_reader reader = file->reader;
    uint32_t fields = tclk_class_u2(&reader);
    for (uint32_t i = 0; i < fields && !reader.bad; i++) {
        tclk_class_skip(&reader, 6);
        skip_attributes(&reader);
    }
    uint32_t methods = tclk_class_u2(&reader);
    for (uint32_t i = 0; i < methods && !reader.bad; i++) {
        search_method(file, &reader, site);
    }
    skip_attributes(&reader);
    return !reader.bad && reader.at == reader.size;
}

/* ---- writing ---- */

static void put(struct writer *out, const void *bytes, size_t size)
{
    if (out->full || out->room - out->size < size) {
        out->full = true;
        return;
    }
    memcpy(out->to + out->size, bytes, size);
    out->size += size;
}

static void put_number(struct writer *out, uint32_t number, size_t bytes)
{
    for (size_t i = bytes; i > 0; i--) {
        uint8_t byte = (uint8_t)(number >> 8 * (i - 1));
        put(out, &byte, 1);
    }
}

static void put_u1(struct writer *out, uint32_t number)
{
    put_number(out, number, 1);
}

static void put_u2(struct writer *out, uint32_t number)
{
    put_number(out, number, 2);
}

static void put_text(struct writer *out, const char *text)
{
    put_u1(out, 1);
    put_u2(out, (uint32_t)strlen(text));
    put(out, text, strlen(text));
}

static void put_two(struct writer *out, uint32_t tag, uint32_t first, uint32_t second)
{
    put_u1(out, tag);
    put_u2(out, first);
    put_u2(out, second);
}

static void put_constants(struct writer *out, uint32_t first)
{
    put_text(out, TCLK_VIRTUAL_CLOCKS);
    put_u1(out, 7);
    put_u2(out, first + CLASS_NAME);
    put_text(out, TCLK_VIRTUAL_CLOCKS_SET);
    put_text(out, CALL_TYPE);
    put_two(out, 12, first + METHOD_NAME, first + METHOD_TYPE);
    put_two(out, 10, first + CLASS, first + NAME_AND_TYPE);
}

/* Writes the file with the call in the place of the putfield. */
static size_t write_file(const struct tclk_class_file *file, const struct site *site, struct writer *out)
{
    const uint8_t *bytes = file->reader.bytes;
    size_t end = file->constants_end;
    put(out, bytes, 8); /* magic and versions */
    put_u2(out, file->count + CONSTANTS);
    put(out, bytes + 10, end - 10);
    put_constants(out, file->count);
    put(out, bytes + end, site->at - end);
    put_u1(out, INVOKESTATIC);
    put_u2(out, file->count + METHOD);
    put(out, bytes + site->at + INSTRUCTION_BYTES, file->reader.size - site->at - INSTRUCTION_BYTES);
    return out->size;
}

static const char *reason_against(const struct tclk_class_file *file, const struct site *site)
{
    if (site->is_unknown) {
        return "it has an instruction that is not known";
    }
    if (site->in_constructors + site->elsewhere == 0) {
        return "no constructor of it sets the field " FIELD;
    }
    if (site->in_constructors != 1 || site->elsewhere != 0) {
        return "it sets the field " FIELD " in more than one place, or outside of a constructor";
    }
    if (site->is_early) {
        return "it sets the field " FIELD " before the constructor of the class above";
    }
    return file->count > U2_MAX - CONSTANTS ? "it has too many constants" : NULL;
}

static const char *patch_file(const struct tclk_class_file *file, uint8_t *to, size_t room, size_t *patched_size)
{
    struct site site = {0};
    struct writer out = {.to = to, .room = room};
    if (!find_site(file, &site)) {
        return "its class file is cut short";
    }
    const char *refusal = reason_against(file, &site);
    if (refusal == NULL) {
        *patched_size = write_file(file, &site, &out);
    }
    return refusal;
}

const char *tclk_constructor_patch(const uint8_t *bytes, size_t size, uint8_t *to, size_t *patched_size)
{
    struct tclk_class_file file;
    if (!tclk_class_open(bytes, size, &file)) {
        return "its class file cannot be read";
    }
    const char *refusal = patch_file(&file, to, size + TCLK_CONSTRUCTOR_PATCH_BYTES, patched_size);
    tclk_class_close(&file);
    return refusal;
}
