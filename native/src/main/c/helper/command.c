/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "call.h"
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>

int command;

static uint32_t number_of_request;
static char words[REQUEST_BYTES + 1];
static char *next = words;
static char *end = words;

uint32_t request_number(void)
{
    return number_of_request;
}

static bool read_all(void *into, size_t count)
{
    for (char *at = into; count > 0;) {
        long got = tclk_call(SYS_read, command, (long)at, (long)count);
        if (got <= 0) {
            return false;
        }
        at += got;
        count -= (size_t)got;
    }
    return true;
}

bool receive(void)
{
    uint32_t length = 0;
    if (!read_all(&length, sizeof(length)) || length > REQUEST_BYTES || !read_all(words, length)) {
        return false;
    }
    number_of_request++;
    next = words;
    end = words + length;
    *end = 0;
    return true;
}

bool has_words(void)
{
    return next < end;
}

const char *word(void)
{
    const char *its = next;
    next += has_words() ? length_of(next) + 1 : 0;
    return its <= end ? its : end;
}

const char *rest(size_t *bytes)
{
    *bytes = has_words() ? (size_t)(end - next) : 0;
    return next;
}

void send_frame(const void *bytes, size_t count)
{
    uint32_t head[] = {number_of_request, (uint32_t)count};
    if (write_all(command, (const char *)head, sizeof(head)) == 0) {
        write_all(command, bytes, count);
    }
}

void begin(const char *step, unsigned long about)
{
    char line[64];
    char digits[24];
    size_t length = 0;
    size_t count = 0;
    while (step[length] != 0) {
        line[length] = step[length];
        length++;
    }
    line[length++] = ' ';
    do {
        digits[count++] = (char)('0' + about % 10);
        about /= 10;
    } while (about != 0);
    while (count > 0) {
        line[length++] = digits[--count];
    }
    send_frame(line, length);
}

void answer(const char *step, unsigned long about)
{
    begin(step, about);
    send_frame("", 0);
}

bool has_failed(long result, const char *step)
{
    if (result < 0) {
        answer(step, (unsigned long)-result);
    }
    return result < 0;
}

bool command_has_gone(void)
{
    struct pollfd its = {.fd = command, .events = 0};
    struct timespec none = {0};
    return tclk_call6(SYS_ppoll, (long)&its, 1, (long)&none, 0, 0, 0) > 0;
}

_Noreturn void leave(void)
{
    for (;;) {
        tclk_call(SYS_exit_group, 0, 0, 0);
    }
}
