/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/constructor_patch.h"

#include "jvm/class_file.h"

#include <stdbool.h>
#include <string.h>

#define FIELD "runContinuation"
#define FIELD_TYPE "Ljava/lang/Runnable;"
#define CALL_TYPE "(Ljava/lang/Runnable;)Ljava/lang/Runnable;"

#define PUTFIELD 181
#define INVOKESTATIC 184
#define INSERTED 3u /* bytes: invokestatic and its index */
#define U2_MAX 65535u

/* The constants that are appended, in this order. */
enum { CLASS_NAME, CLASS, METHOD_NAME, METHOD_TYPE, NAME_AND_TYPE, METHOD, CONSTANTS };

/* Where the instruction goes. */
struct site {
    size_t code; /* offset of the Code attribute's length in the file */
    uint32_t pc; /* of the putfield */
    unsigned in_constructors;
    unsigned elsewhere;
    bool is_unknown; /* a method has an instruction that is not known */
};

struct writer {
    uint8_t *to;
    size_t size;
    size_t room;
    bool full;
};

/* Everything that the rewriting of a method needs. */
struct patch {
    const struct tclk_class_file *file;
    struct writer out;
    uint32_t pc;
    const char *refusal;
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

static void search_code(const struct tclk_class_file *file, struct tclk_class_reader code, bool is_constructor,
                        size_t at, struct site *site)
{
    enum tclk_jump jump;
    while (code.at < code.size && !code.bad) {
        struct tclk_class_reader operand = code;
        uint32_t pc = (uint32_t)code.at;
        bool is_put = tclk_class_u1(&operand) == PUTFIELD;
        uint32_t index = is_put ? tclk_class_u2(&operand) : 0;
        tclk_class_instruction(&code, &jump);
        if (!is_put || !tclk_class_is_own_field(file, index, FIELD, FIELD_TYPE)) {
            continue;
        }
        if (is_constructor) {
            site->in_constructors++;
            site->code = at;
            site->pc = pc;
        } else {
            site->elsewhere++;
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
        size_t at = reader->at;
        struct tclk_class_reader content = tclk_class_part(reader, tclk_class_u4(reader));
        if (is_code) {
            tclk_class_skip(&content, 4); /* sizes of the stack and of the locals */
            struct tclk_class_reader code = tclk_class_part(&content, tclk_class_u4(&content));
            search_code(file, code, is_constructor, at, site);
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

static void put_u4(struct writer *out, uint32_t number)
{
    put_number(out, number, 4);
}

/* Copies the next bytes of the file. */
static void copy(struct patch *patch, struct tclk_class_reader *from, size_t bytes)
{
    struct tclk_class_reader part = tclk_class_part(from, bytes);
    if (!part.bad) {
        put(&patch->out, part.bytes, part.size);
    }
}

static uint32_t copy_u1(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t number = tclk_class_u1(from);
    put_u1(&patch->out, number);
    return number;
}

static uint32_t copy_u2(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t number = tclk_class_u2(from);
    put_u2(&patch->out, number);
    return number;
}

/* Leaves room for a length of four bytes, which close_length() fills in. */
static size_t open_length(struct patch *patch)
{
    put_u4(&patch->out, 0);
    return patch->out.size;
}

static void close_length(struct patch *patch, size_t start)
{
    struct writer *out = &patch->out;
    if (!out->full) {
        struct writer length = {.to = out->to, .size = start - 4, .room = start};
        put_u4(&length, (uint32_t)(out->size - start));
    }
}

static void refuse(struct patch *patch, const char *refusal)
{
    patch->refusal = patch->refusal == NULL ? refusal : patch->refusal;
}

/* ---- the constructor's code ---- */

/* A jump to the putfield leads to the inserted instruction. */
static uint32_t moved(const struct patch *patch, uint32_t pc)
{
    return pc > patch->pc ? pc + INSERTED : pc;
}

static void copy_pc(struct patch *patch, struct tclk_class_reader *from)
{
    put_u2(&patch->out, moved(patch, tclk_class_u2(from)));
}

static void copy_jump(struct patch *patch, struct tclk_class_reader *from, uint32_t pc, bool wide)
{
    int64_t offset = wide ? (int32_t)tclk_class_u4(from) : (int16_t)tclk_class_u2(from);
    int64_t target = pc + offset;
    if (target < 0 || target > (int64_t)U2_MAX) {
        refuse(patch, "a jump of its constructor leads out of it");
        return;
    }
    offset = (int64_t)moved(patch, (uint32_t)target) - moved(patch, pc);
    if (!wide && offset != (int16_t)offset) {
        refuse(patch, "a jump of its constructor is too long");
    }
    put_number(&patch->out, (uint32_t)offset, wide ? 4 : 2);
}

static void copy_instruction(struct patch *patch, struct tclk_class_reader *code)
{
    struct tclk_class_reader from = *code;
    uint32_t pc = (uint32_t)code->at;
    enum tclk_jump jump;
    size_t length = tclk_class_instruction(code, &jump);
    if (jump == TCLK_JUMP_TABLE) {
        refuse(patch, "its constructor has a switch");
    } else if (jump == TCLK_JUMP_NONE) {
        copy(patch, &from, length);
    } else {
        copy_u1(patch, &from);
        copy_jump(patch, &from, pc, jump == TCLK_JUMP_WIDE);
    }
}

static void copy_code(struct patch *patch, struct tclk_class_reader *from)
{
    struct tclk_class_reader code = tclk_class_part(from, tclk_class_u4(from));
    if (code.size > U2_MAX - INSERTED) {
        refuse(patch, "its constructor is too long");
    }
    size_t start = open_length(patch);
    while (code.at < code.size && !code.bad) {
        if (code.at == patch->pc) {
            put_u1(&patch->out, INVOKESTATIC);
            put_u2(&patch->out, patch->file->count + METHOD);
        }
        copy_instruction(patch, &code);
    }
    close_length(patch, start);
}

static void copy_handlers(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t count = copy_u2(patch, from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        copy_pc(patch, from);
        copy_pc(patch, from);
        copy_pc(patch, from);
        copy_u2(patch, from); /* the type that it catches */
    }
}

/* ---- its attributes ---- */

static void copy_lines(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t count = copy_u2(patch, from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        copy_pc(patch, from);
        copy_u2(patch, from);
    }
}

static void copy_variables(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t count = copy_u2(patch, from);
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t start = tclk_class_u2(from);
        uint32_t end = start + tclk_class_u2(from);
        put_u2(&patch->out, moved(patch, start));
        put_u2(&patch->out, moved(patch, end) - moved(patch, start));
        copy(patch, from, 6); /* name, type, index */
    }
}

/* Types of a stack map frame: JVMS 4.7.4. */
#define TYPE_OBJECT 7
#define TYPE_UNINITIALIZED 8
#define FRAME_ONE_TYPE 64
#define FRAME_RESERVED 128
#define FRAME_ONE_TYPE_FAR 247
#define FRAME_FAR 251
#define FRAME_FULL 255

static void copy_types(struct patch *patch, struct tclk_class_reader *from, uint32_t count)
{
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t type = copy_u1(patch, from);
        if (type == TYPE_OBJECT) {
            copy_u2(patch, from);
        } else if (type == TYPE_UNINITIALIZED) {
            copy_pc(patch, from); /* of the instruction that has made the object */
        }
    }
}

/* Writes a frame's kind and its distance. Up to 63, the kind contains the distance. */
static void put_frame(struct patch *patch, uint32_t kind, uint32_t distance)
{
    if (kind < FRAME_RESERVED && distance < FRAME_ONE_TYPE) {
        put_u1(&patch->out, (kind & FRAME_ONE_TYPE) + distance);
        return;
    }
    uint32_t far = kind < FRAME_ONE_TYPE ? FRAME_FAR : FRAME_ONE_TYPE_FAR;
    put_u1(&patch->out, kind < FRAME_RESERVED ? far : kind);
    put_u2(&patch->out, distance);
}

static void copy_content(struct patch *patch, struct tclk_class_reader *from, uint32_t kind)
{
    if (kind == FRAME_FULL) {
        copy_types(patch, from, copy_u2(patch, from));
        copy_types(patch, from, copy_u2(patch, from));
    } else if (kind > FRAME_FAR) {
        copy_types(patch, from, kind - FRAME_FAR);
    } else if ((kind >= FRAME_ONE_TYPE && kind < FRAME_RESERVED) || kind == FRAME_ONE_TYPE_FAR) {
        copy_types(patch, from, 1);
    }
}

/* A frame has its distance from the one before, less one; the first one, from the start. */
static void copy_frames(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t count = copy_u2(patch, from);
    uint32_t before = UINT32_MAX;
    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t kind = tclk_class_u1(from);
        if (kind >= FRAME_RESERVED && kind < FRAME_ONE_TYPE_FAR) {
            refuse(patch, "its constructor has a stack map frame of a kind that is not known");
            return;
        }
        uint32_t distance = kind < FRAME_RESERVED ? kind % FRAME_ONE_TYPE : tclk_class_u2(from);
        uint32_t pc = before + 1 + distance;
        uint32_t moved_before = i == 0 ? before : moved(patch, before);
        put_frame(patch, kind, moved(patch, pc) - moved_before - 1);
        copy_content(patch, from, kind);
        before = pc;
    }
}

static void copy_attribute(struct patch *patch, struct tclk_class_reader *from)
{
    uint32_t name = copy_u2(patch, from);
    struct tclk_class_reader content = tclk_class_part(from, tclk_class_u4(from));
    size_t start = open_length(patch);
    if (tclk_class_is_text(patch->file, name, "StackMapTable")) {
        copy_frames(patch, &content);
    } else if (tclk_class_is_text(patch->file, name, "LineNumberTable")) {
        copy_lines(patch, &content);
    } else if (tclk_class_is_text(patch->file, name, "LocalVariableTable") ||
               tclk_class_is_text(patch->file, name, "LocalVariableTypeTable")) {
        copy_variables(patch, &content);
    } else {
        refuse(patch, "its constructor's Code has an attribute that is not known");
    }
    close_length(patch, start);
    from->bad |= content.bad || content.at != content.size;
}

/* Copies the constructor's Code attribute from its length on. */
static void copy_constructor(struct patch *patch, struct tclk_class_reader *from)
{
    struct tclk_class_reader content = tclk_class_part(from, tclk_class_u4(from));
    size_t start = open_length(patch);
    copy(patch, &content, 4); /* sizes of the stack and of the locals */
    copy_code(patch, &content);
    copy_handlers(patch, &content);
    uint32_t attributes = copy_u2(patch, &content);
    for (uint32_t i = 0; i < attributes && !content.bad; i++) {
        copy_attribute(patch, &content);
    }
    close_length(patch, start);
    from->bad |= content.bad || content.at != content.size;
}

/* ---- the file ---- */

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
    put_text(out, TCLK_AGENT_ACCOUNT);
    put_u1(out, 7);
    put_u2(out, first + CLASS_NAME);
    put_text(out, TCLK_AGENT_ACCOUNT_OF);
    put_text(out, CALL_TYPE);
    put_two(out, 12, first + METHOD_NAME, first + METHOD_TYPE);
    put_two(out, 10, first + CLASS, first + NAME_AND_TYPE);
}

static void copy_file(struct patch *patch, const struct site *site)
{
    const struct tclk_class_file *file = patch->file;
    struct tclk_class_reader from = file->reader;
    from.at = 0;
    copy(patch, &from, 8); /* magic and versions */
    tclk_class_skip(&from, 2);
    put_u2(&patch->out, file->count + CONSTANTS);
    copy(patch, &from, file->constants_end - from.at);
    put_constants(&patch->out, file->count);
    copy(patch, &from, site->code - from.at);
    copy_constructor(patch, &from);
    copy(patch, &from, from.size - from.at);
    if (from.bad || patch->out.full) {
        refuse(patch, "its constructor is cut short");
    }
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
    return file->count > U2_MAX - CONSTANTS ? "it has too many constants" : NULL;
}

static const char *patch_file(const struct tclk_class_file *file, uint8_t *to, size_t room, size_t *patched_size)
{
    struct site site = {0};
    if (!find_site(file, &site)) {
        return "its class file is cut short";
    }
    struct patch patch = {
        .file = file,
        .out = {.to = to, .room = room},
        .pc = site.pc,
        .refusal = reason_against(file, &site),
    };
    if (patch.refusal == NULL) {
        copy_file(&patch, &site);
    }
    if (patch.refusal == NULL) {
        *patched_size = patch.out.size;
    }
    return patch.refusal;
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
