/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/class_file.h"

#include <stdint.h>
#include <string.h>

enum tag { UTF8 = 1, CLASS = 7, METHOD_REF = 10, NAME_AND_TYPE = 12 };
enum access { STATIC = 0x0008, SUPER = 0x0020, NATIVE = 0x0100 };

/* The constant pool, in the order in which it is written. */
enum constant {
    THIS_NAME = 1,
    THIS,
    OBJECT_NAME,
    OBJECT,
    CALLER,
    CALLEE,
    SIGNATURE,
    CODE,
    CALLEE_NAME_AND_TYPE,
    CALLEE_METHOD,
    CONSTANTS
};

struct writer {
    unsigned char *at;
};

static void u1(struct writer *to, unsigned byte)
{
    *to->at++ = (unsigned char)byte;
}

static void u2(struct writer *to, unsigned number)
{
    u1(to, number >> 8);
    u1(to, number & 0xff);
}

static void u4(struct writer *to, uint32_t number)
{
    u2(to, number >> 16);
    u2(to, number & 0xffff);
}

static void utf8(struct writer *to, const char *text)
{
    size_t length = strlen(text);
    u1(to, UTF8);
    u2(to, (unsigned)length);
    memcpy(to->at, text, length);
    to->at += length;
}

static void pair(struct writer *to, enum tag tag, enum constant first, enum constant second)
{
    u1(to, tag);
    u2(to, first);
    u2(to, second);
}

static void class_of(struct writer *to, enum constant name)
{
    u1(to, CLASS);
    u2(to, name);
}

static void constant_pool(struct writer *to, const char *name, const char *caller,
                          const char *callee)
{
    u2(to, CONSTANTS);
    utf8(to, name);
    class_of(to, THIS_NAME);
    utf8(to, "java/lang/Object");
    class_of(to, OBJECT_NAME);
    utf8(to, caller);
    utf8(to, callee);
    utf8(to, "()I");
    utf8(to, "Code");
    pair(to, NAME_AND_TYPE, CALLEE, SIGNATURE);
    pair(to, METHOD_REF, THIS, CALLEE_NAME_AND_TYPE);
}

static void method(struct writer *to, unsigned access, enum constant name, unsigned attributes)
{
    u2(to, access);
    u2(to, name);
    u2(to, SIGNATURE);
    u2(to, attributes);
}

static void code(struct writer *to)
{
    enum { INVOKESTATIC = 0xb8, IRETURN = 0xac, LENGTH = 4 };
    u2(to, CODE);
    u4(to, 12 + LENGTH);
    u2(to, 1); /* stack */
    u2(to, 0); /* locals */
    u4(to, LENGTH);
    u1(to, INVOKESTATIC);
    u2(to, CALLEE_METHOD);
    u1(to, IRETURN);
    u2(to, 0); /* exception handlers */
    u2(to, 0); /* attributes */
}

size_t tclk_class_file_of_caller(const char *name, const char *caller, const char *callee,
                                 unsigned char bytes[TCLK_CLASS_FILE_MAX])
{
    struct writer to = {bytes};
    u4(&to, 0xcafebabe);
    u2(&to, 0);  /* minor version */
    u2(&to, 52); /* major version */
    constant_pool(&to, name, caller, callee);
    u2(&to, SUPER);
    u2(&to, THIS);
    u2(&to, OBJECT);
    u2(&to, 0); /* interfaces */
    u2(&to, 0); /* fields */
    u2(&to, 2); /* methods */
    method(&to, STATIC, CALLER, 1);
    code(&to);
    method(&to, STATIC | NATIVE, CALLEE, 0);
    u2(&to, 0); /* attributes */
    return (size_t)(to.at - bytes);
}
