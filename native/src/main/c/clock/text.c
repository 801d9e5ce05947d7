/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/text.h"

#include <stdarg.h>
#include <stdio.h>

void tclk_text_add(struct tclk_text *text, const char *format, ...)
{
    size_t used = text->length < text->size ? text->length : text->size;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(used < text->size ? text->start + used : NULL, text->size - used, format, arguments);
    va_end(arguments);
    text->length += n > 0 ? (size_t)n : 0;
}
