/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 512

void tclk_message(const char *format, ...)
{
    char line[LINE_MAX_BYTES] = "threadclock: ";
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    used += n < 0 ? 0 : (size_t)n;
    used = used > sizeof line - 2 ? sizeof line - 2 : used;
    line[used] = '\n';
    ssize_t written = write(STDERR_FILENO, line, used + 1);
    (void)written; /* nowhere to tell that the telling failed */
}
