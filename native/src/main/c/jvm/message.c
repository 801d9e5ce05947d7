/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 512

static _Thread_local struct {
    char *text;
    size_t size;
} instead;

void tclk_message_into(char *text, size_t size)
{
    instead.text = text;
    instead.size = size;
}

__attribute__((format(printf, 1, 0))) static void write_line(const char *format, va_list arguments)
{
    char line[LINE_MAX_BYTES] = "threadclock: ";
    size_t used = strlen(line);
    int n = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    used += n < 0 ? 0 : (size_t)n;
    used = used > sizeof line - 2 ? sizeof line - 2 : used;
    line[used] = '\n';
    ssize_t written = write(STDERR_FILENO, line, used + 1);
    (void)written; /* the error cannot be reported anywhere */
}

void tclk_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (instead.text != NULL) {
        (void)vsnprintf(instead.text, instead.size, format, arguments);
    } else {
        write_line(format, arguments);
    }
    va_end(arguments);
}
