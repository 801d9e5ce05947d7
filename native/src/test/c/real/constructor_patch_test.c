/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the call that the option `virtual` puts into a constructor, on class files that this program makes. */

#include "jvm/constructor_patch.h"

#include "real.h"

#define FILE_BYTES 70000

/* The constants that each file has, by their index. */
enum {
    THIS_NAME = 1,
    THIS,
    FIELD_NAME,
    FIELD_TYPE,
    NAME_AND_TYPE,
    FIELD,
    INIT,
    VOID,
    CODE,
    STACK_MAP_TABLE,
    RUN,
    A_LONG, /* takes two indices */
    OTHER_CLASS = A_LONG + 2,
    OTHER_FIELD,
    INIT_TYPE,
    SUPER_INIT, /* the other class is the one above */
    OWN_INIT,
    COUNT,
};

struct bytes {
    const void *at;
    size_t size;
};

#define BYTES(...) ((struct bytes){(const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})})

/* A method with its code and one attribute of it. */
struct method {
    uint8_t name;
    struct bytes code;
    struct bytes handlers; /* with their count */
    uint8_t attribute;     /* 0: none */
    struct bytes content;
};

struct file {
    uint8_t bytes[FILE_BYTES];
    size_t size;
};

/* ---- making class files ---- */

static void add(struct file *file, struct bytes some)
{
    memcpy(file->bytes + file->size, some.at, some.size);
    file->size += some.size;
}

static void add_number(struct file *file, size_t number, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--) {
        file->bytes[file->size++] = (uint8_t)(number >> 8 * i);
    }
}

static void add_text(struct file *file, const char *text)
{
    add_number(file, 1, 1);
    add_number(file, strlen(text), 2);
    add(file, (struct bytes){text, strlen(text)});
}

static void add_constants(struct file *file)
{
    add_text(file, "T");
    add(file, BYTES(7, 0, THIS_NAME));
    add_text(file, "runContinuation");
    add_text(file, "Ljava/lang/Runnable;");
    add(file, BYTES(12, 0, FIELD_NAME, 0, FIELD_TYPE));
    add(file, BYTES(9, 0, THIS, 0, NAME_AND_TYPE));
    add_text(file, "<init>");
    add_text(file, "()V");
    add_text(file, "Code");
    add_text(file, "StackMapTable");
    add_text(file, "run");
    add(file, BYTES(5, 0, 0, 0, 0, 0, 0, 0, 1));
    add(file, BYTES(7, 0, FIELD_NAME));
    add(file, BYTES(9, 0, OTHER_CLASS, 0, NAME_AND_TYPE));
    add(file, BYTES(12, 0, INIT, 0, VOID));
    add(file, BYTES(10, 0, OTHER_CLASS, 0, INIT_TYPE));
    add(file, BYTES(10, 0, THIS, 0, INIT_TYPE));
}

static void add_appended_constants(struct file *file)
{
    add_text(file, "io/threadclock/boot/VirtualClocks");
    add(file, BYTES(7, 0, COUNT));
    add_text(file, "set");
    add_text(file, "(Ljava/lang/Thread;Ljava/lang/Runnable;)V");
    add(file, BYTES(12, 0, COUNT + 2, 0, COUNT + 3));
    add(file, BYTES(10, 0, COUNT + 1, 0, COUNT + 4));
}

static void add_method(struct file *file, const struct method *method)
{
    size_t attribute = method->attribute == 0 ? 0 : 6 + method->content.size;
    add(file, BYTES(0, 1, 0, method->name, 0, VOID, 0, 1, 0, CODE));
    add_number(file, 4 + 4 + method->code.size + method->handlers.size + 2 + attribute, 4);
    add(file, BYTES(0, 2, 0, 1));
    add_number(file, method->code.size, 4);
    add(file, method->code);
    add(file, method->handlers);
    add_number(file, method->attribute != 0, 2);
    if (method->attribute != 0) {
        add_number(file, method->attribute, 2);
        add_number(file, method->content.size, 4);
        add(file, method->content);
    }
}

/* One field, and an attribute of the class. */
static struct file *class_of(bool is_patched, size_t count, const struct method *methods)
{
    static struct file files[2];
    struct file *file = &files[is_patched];
    *file = (struct file){.size = 0};
    add(file, BYTES(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65));
    add_number(file, COUNT + (is_patched ? 6 : 0), 2);
    add_constants(file);
    if (is_patched) {
        add_appended_constants(file);
    }
    add(file, BYTES(0, 0x21, 0, THIS, 0, OTHER_CLASS, 0, 0));         /* no interface */
    add(file, BYTES(0, 1, 0, 0, 0, FIELD_NAME, 0, FIELD_TYPE, 0, 0)); /* a field */
    add_number(file, count, 2);
    for (size_t i = 0; i < count; i++) {
        add_method(file, &methods[i]);
    }
    add(file, BYTES(0, 1, 0, RUN, 0, 0, 0, 1, 42));
    return file;
}

/* ---- judging ---- */

static const char *patched(const struct file *file, struct file *to)
{
    to->size = 0;
    return tclk_constructor_patch(file->bytes, file->size, to->bytes, &to->size);
}

static void becomes(const struct method *before, const struct method *after, const char *sentence)
{
    static struct file to;
    const struct file *expected = class_of(true, 1, after);
    const char *refusal = patched(class_of(false, 1, before), &to);
    bool same = to.size == expected->size && memcmp(to.bytes, expected->bytes, to.size) == 0;
    if (!ok(refusal == NULL && same, "%s", sentence)) {
        diag("refusal: %s; %zu bytes, expected %zu", refusal == NULL ? "none" : refusal, to.size, expected->size);
    }
}

static void is_refused(size_t count, const struct method *methods, const char *reason, const char *sentence)
{
    static struct file to;
    const char *refusal = patched(class_of(false, count, methods), &to);
    if (!ok(refusal != NULL && strstr(refusal, reason) != NULL && to.size == 0, "%s", sentence)) {
        diag("refusal: %s", refusal == NULL ? "none" : refusal);
    }
}

#define CALL 0xb8, 0, COUNT + 5
#define PUT 0xb5, 0, FIELD
#define RETURN 0xb1
#define SUPER 0x2a, 0xb7, 0, SUPER_INIT
#define THIS_INIT 0x2a, 0xb7, 0, OWN_INIT

static const uint8_t plain_code[] = {SUPER, 0x2a, 0x01, PUT, RETURN};
static const struct method plain = {INIT, {plain_code, sizeof plain_code}, {"\0", 2}, 0, {"", 0}};

/* ---- the tests ---- */

static void the_call_takes_the_place(void)
{
    struct method before = plain;
    struct method after = plain;
    after.code = BYTES(SUPER, 0x2a, 0x01, CALL, RETURN);
    becomes(&before, &after, "the call takes the place of the instruction, and all else stays");
    before.attribute = after.attribute = STACK_MAP_TABLE;
    before.content = after.content = BYTES(0, 1, 5);
    before.handlers = after.handlers = BYTES(0, 1, 0, 0, 0, 2, 0, 5, 0, THIS);
    becomes(&before, &after, "frames and handlers, too");
    before.code = BYTES(0x03, 0xab, 0, 0, PUT, 0, 0, 0, 0, 1, PUT, 0, PUT, 0, SUPER, 0x2a, 0x01, PUT, RETURN);
    after.code = BYTES(0x03, 0xab, 0, 0, PUT, 0, 0, 0, 0, 1, PUT, 0, PUT, 0, SUPER, 0x2a, 0x01, CALL, RETURN);
    becomes(&before, &after, "a switch is passed over by its length");
}

static void the_place_must_be_the_only_one(void)
{
    const struct method put = plain;
    struct method in_run = plain;
    struct method without = plain;
    struct method of_another = plain;
    in_run.name = RUN;
    without.code = BYTES(RETURN);
    of_another.code = BYTES(SUPER, 0x2a, 0x01, 0xb5, 0, OTHER_FIELD, RETURN);
    is_refused(1, &without, "no constructor", "a class that does not set the field is refused");
    is_refused(1, &of_another, "no constructor", "another class's field is another field");
    is_refused(1, &in_run, "outside", "a field that a method sets is refused");
    is_refused(2, (const struct method[]){put, put}, "more than one", "two places are refused");
    is_refused(2, (const struct method[]){put, in_run}, "outside", "so are two of two kinds");
}

static void the_thread_must_be_initialized(void)
{
    struct method method = plain;
    method.code = BYTES(0x2a, 0x01, PUT, SUPER, RETURN);
    is_refused(1, &method, "before the constructor", "a field that is set before the constructor above is refused");
    method.code = BYTES(THIS_INIT, 0x2a, 0x01, PUT, RETURN);
    is_refused(1, &method, "before the constructor", "another constructor of the class is not the one above");
}

static void what_is_not_known_is_refused(void)
{
    struct method method = plain;
    method.code = BYTES(0xca, PUT, RETURN);
    is_refused(1, &method, "instruction", "an instruction that is not known is refused");
    method.code = BYTES(PUT, 0xab, 0, 0, 0, 9, 0, 0, 0, 1, RETURN);
    is_refused(1, &method, "instruction", "a switch that is cut short is refused");
}

/* A lookupswitch and a tableswitch, in which each offset looks like the instruction that is searched for. */
static void switches_elsewhere_are_passed_over(void)
{
    static struct file to;
    struct method methods[] = {plain, plain};
    methods[1].name = RUN;
    methods[1].code = BYTES(0x03, 0xab, 0, 0, PUT, 0, 0, 0, 0, 1, PUT, 0, PUT, 0, /* 20 */
                            0xaa, 0, 0, 0, PUT, 0, 0, 0, 0, 1, 0, 0, 0, 2, PUT, 0, PUT, 0, RETURN);
    const char *refusal = patched(class_of(false, 2, methods), &to);
    ok(refusal == NULL, "switches of other methods are passed over by their length");
}

static void a_file_that_is_cut_anywhere_is_refused(void)
{
    static struct file to;
    struct method method = plain;
    method.attribute = STACK_MAP_TABLE;
    method.content = BYTES(0, 1, 5);
    const struct file *whole = class_of(false, 1, &method);
    size_t accepted = 0;
    for (size_t size = 0; size < whole->size; size++) {
        uint8_t *cut = malloc(size + 1); /* so that AddressSanitizer sees a read behind it */
        memcpy(cut + 1, whole->bytes, size);
        accepted += tclk_constructor_patch(cut + 1, size, to.bytes, &to.size) == NULL;
        free(cut);
    }
    is_ns(accepted, 0, "a file that is cut short is refused, wherever it is cut");
}

static void any_byte_may_be_wrong(void)
{
    static struct file to;
    static struct file wrong;
    struct method method = plain;
    method.attribute = STACK_MAP_TABLE;
    method.content = BYTES(0, 1, 5);
    wrong = *class_of(false, 1, &method);
    size_t too_long = 0;
    for (size_t at = 0; at < wrong.size; at++) {
        uint8_t right = wrong.bytes[at];
        for (int byte = 0; byte < 256; byte++) {
            wrong.bytes[at] = (uint8_t)byte;
            too_long += patched(&wrong, &to) == NULL && to.size > wrong.size + TCLK_CONSTRUCTOR_PATCH_BYTES;
        }
        wrong.bytes[at] = right;
    }
    is_ns(too_long, 0, "whatever byte is wrong, the result is a refusal or fits into its room");
}

int main(void)
{
    the_call_takes_the_place();
    the_place_must_be_the_only_one();
    the_thread_must_be_initialized();
    what_is_not_known_is_refused();
    switches_elsewhere_are_passed_over();
    a_file_that_is_cut_anywhere_is_refused();
    any_byte_may_be_wrong();
    return done();
}
