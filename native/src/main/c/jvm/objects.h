/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_OBJECTS_H
#define TCLK_JVM_OBJECTS_H

#include <stdbool.h>

/* Returns a handle for dlsym() of the loaded shared object whose file has that `name`, such as "libjvm.so"; NULL if
 * there is none, or no memory. Other threads may load and unload some meanwhile. */
void *tclk_objects_named(const char *name);

/* Whether the file of the loaded shared object `name` is still where it was loaded from, and a file `neighbour` beside
 * it. True if no such object is loaded: then its folder is not known, as in a program that is linked statically. */
bool tclk_objects_have_beside(const char *name, const char *neighbour);

#endif
