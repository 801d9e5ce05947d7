/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/class_file.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0xcafebabeu

/* Tags of constants: JVMS 4.4. */
enum {
    UTF8 = 1,
    INTEGER = 3,
    FLOAT = 4,
    LONG = 5,
    DOUBLE = 6,
    CLASS = 7,
    STRING = 8,
    FIELD = 9,
    METHOD = 10,
    INTERFACE_METHOD = 11,
    NAME_AND_TYPE = 12,
    METHOD_HANDLE = 15,
    METHOD_TYPE = 16,
    DYNAMIC = 17,
    INVOKE_DYNAMIC = 18,
    MODULE = 19,
    PACKAGE = 20,
};

/* ---- reading ---- */

static uint32_t number(struct tclk_class_reader *reader, size_t bytes)
{
    uint32_t all = 0;
    if (reader->bad || reader->size - reader->at < bytes) {
        reader->bad = true;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        all = all << 8 | reader->bytes[reader->at++];
    }
    return all;
}

uint32_t tclk_class_u1(struct tclk_class_reader *reader)
{
    return number(reader, 1);
}

uint32_t tclk_class_u2(struct tclk_class_reader *reader)
{
    return number(reader, 2);
}

uint32_t tclk_class_u4(struct tclk_class_reader *reader)
{
    return number(reader, 4);
}

void tclk_class_skip(struct tclk_class_reader *reader, size_t bytes)
{
    if (reader->bad || reader->size - reader->at < bytes) {
        reader->bad = true;
    } else {
        reader->at += bytes;
    }
}

struct tclk_class_reader tclk_class_part(struct tclk_class_reader *reader, size_t bytes)
{
    struct tclk_class_reader part = {reader->bytes + reader->at, bytes, 0, false};
    tclk_class_skip(reader, bytes);
    return reader->bad ? (struct tclk_class_reader){.bytes = reader->bytes, .bad = true} : part;
}

/* ---- constants ---- */

/* Returns the length of a constant behind its tag; 0: there is no such tag. */
static size_t length_of(uint32_t tag, struct tclk_class_reader rest)
{
    switch (tag) {
    case UTF8:
        return 2 + (size_t)tclk_class_u2(&rest);
    case CLASS:
    case STRING:
    case METHOD_TYPE:
    case MODULE:
    case PACKAGE:
        return 2;
    case METHOD_HANDLE:
        return 3;
    case INTEGER:
    case FLOAT:
    case FIELD:
    case METHOD:
    case INTERFACE_METHOD:
    case NAME_AND_TYPE:
    case DYNAMIC:
    case INVOKE_DYNAMIC:
        return 4;
    case LONG:
    case DOUBLE:
        return 8;
    default:
        return 0;
    }
}

/* A long and a double take two indices, both below the count: the next constant may be appended there. */
static bool find_constants(struct tclk_class_file *file)
{
    struct tclk_class_reader *reader = &file->reader;
    uint32_t i;
    for (i = 1; i < file->count; i++) {
        size_t start = reader->at;
        uint32_t tag = tclk_class_u1(reader);
        size_t length = length_of(tag, *reader);
        tclk_class_skip(reader, length);
        if (length == 0 || reader->bad) {
            return false;
        }
        file->constants[i] = (uint32_t)start;
        i += tag == LONG || tag == DOUBLE;
    }
    file->constants_end = reader->at;
    return i == file->count;
}

static bool read_head(struct tclk_class_file *file)
{
    struct tclk_class_reader *reader = &file->reader;
    if (!find_constants(file)) {
        return false;
    }
    tclk_class_skip(reader, 2); /* flags */
    file->this_class = tclk_class_u2(reader);
    file->super_class = tclk_class_u2(reader);
    uint32_t interfaces = tclk_class_u2(reader);
    tclk_class_skip(reader, 2 * (size_t)interfaces);
    return !reader->bad;
}

bool tclk_class_open(const uint8_t *bytes, size_t size, struct tclk_class_file *file)
{
    struct tclk_class_reader *reader = &file->reader;
    *reader = (struct tclk_class_reader){.bytes = bytes, .size = size, .bad = size > UINT32_MAX};
    uint32_t magic = tclk_class_u4(reader);
    tclk_class_skip(reader, 4); /* versions */
    file->count = tclk_class_u2(reader);
    if (reader->bad || magic != MAGIC) {
        return false;
    }
    file->constants = calloc(file->count + (size_t)1, sizeof file->constants[0]);
    if (file->constants != NULL && read_head(file)) {
        return true;
    }
    tclk_class_close(file);
    return false;
}

void tclk_class_close(struct tclk_class_file *file)
{
    free(file->constants);
    file->constants = NULL;
}

/* Returns a reader behind the tag of that constant; bad if it is another kind. */
static struct tclk_class_reader constant(const struct tclk_class_file *file, uint32_t index, uint32_t tag)
{
    struct tclk_class_reader reader = {.bytes = file->reader.bytes, .size = file->constants_end};
    reader.bad = index >= file->count || file->constants[index] == 0;
    reader.at = reader.bad ? 0 : file->constants[index];
    if (tclk_class_u1(&reader) != tag) {
        reader.bad = true;
    }
    return reader;
}

bool tclk_class_is_text(const struct tclk_class_file *file, uint32_t index, const char *text)
{
    struct tclk_class_reader reader = constant(file, index, UTF8);
    uint32_t length = tclk_class_u2(&reader);
    return !reader.bad && length == strlen(text) && memcmp(reader.bytes + reader.at, text, length) == 0;
}

/* A reference to a member: its class, name and type. */
struct member {
    uint32_t owner;
    uint32_t name;
    uint32_t signature;
    bool bad;
};

static struct member member(const struct tclk_class_file *file, uint32_t index, uint32_t tag)
{
    struct tclk_class_reader reference = constant(file, index, tag);
    struct member found = {.owner = tclk_class_u2(&reference)};
    struct tclk_class_reader parts = constant(file, tclk_class_u2(&reference), NAME_AND_TYPE);
    found.name = tclk_class_u2(&parts);
    found.signature = tclk_class_u2(&parts);
    found.bad = reference.bad || parts.bad;
    return found;
}

bool tclk_class_is_own_field(const struct tclk_class_file *file, uint32_t index, const char *name,
                             const char *signature)
{
    struct member field = member(file, index, FIELD);
    return !field.bad && field.owner == file->this_class && tclk_class_is_text(file, field.name, name) &&
           tclk_class_is_text(file, field.signature, signature);
}

bool tclk_class_is_super_constructor(const struct tclk_class_file *file, uint32_t index)
{
    struct member method = member(file, index, METHOD);
    return !method.bad && method.owner == file->super_class && tclk_class_is_text(file, method.name, "<init>");
}

/* ---- instructions ---- */

/* The length of each instruction from nop (0) to jsr_w (201), JVMS 6.5; 0: it varies. */
static const uint8_t lengths[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 2, 3, /* nop … ldc_w */
    3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* ldc2_w … dload_1 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, /* dload_2 … istore_0 */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* istore_1 … iastore */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* lastore … dadd */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* isub … dneg */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, /* ishl … f2i */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, /* f2l … if_icmpeq */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 0, 0, 1, 1, 1, 1, 1, 1, 3, 3, /* if_icmpne … putstatic */
    3, 3, 3, 3, 3, 5, 5, 3, 2, 3, 1, 1, 3, 3, 1, 1, 0, 4, 3, 3, /* getfield … ifnonnull */
    5, 5,                                                       /* goto_w, jsr_w */
};

#define IINC 132
#define TABLESWITCH 170
#define LOOKUPSWITCH 171
#define WIDE 196

/* The length of a tableswitch or lookupswitch whose opcode has been read. Both are aligned to four bytes. */
static size_t table_length(struct tclk_class_reader code, uint32_t opcode)
{
    size_t start = code.at - 1;
    tclk_class_skip(&code, (4 - code.at % 4) % 4 + 4);
    uint32_t first = tclk_class_u4(&code);
    uint64_t entries = (uint64_t)first * 8;
    if (opcode == TABLESWITCH) {
        int64_t high = (int32_t)tclk_class_u4(&code);
        int64_t low = (int32_t)first;
        entries = high < low ? SIZE_MAX : (uint64_t)(high - low + 1) * 4;
    }
    return code.bad || entries > code.size ? 0 : code.at - start + (size_t)entries;
}

void tclk_class_instruction(struct tclk_class_reader *code)
{
    uint32_t opcode = tclk_class_u1(code);
    size_t length = opcode < sizeof lengths ? lengths[opcode] : 0;
    if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
        length = table_length(*code, opcode);
    } else if (opcode == WIDE) {
        struct tclk_class_reader rest = *code;
        length = tclk_class_u1(&rest) == IINC ? 6 : 4;
    }
    if (length == 0 || code->bad) {
        code->bad = true;
        return;
    }
    tclk_class_skip(code, length - 1);
}
