/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_OBJECTS_H
#define TCLK_JVM_OBJECTS_H

#include <stdbool.h>

/*
 * The shared objects that this process has loaded. Other threads may load and unload some meanwhile, so the paths are
 * copied while the loader holds its list still, and used afterwards.
 */

/* Calls `is_wanted` with each object's path until it returns true. `is_wanted` may call dlopen(). Returns whether it
 * returned true; false also without memory. */
bool tclk_objects_search(bool (*is_wanted)(const char *path, void *context), void *context);

/* Returns a handle for dlsym() of the loaded object whose file has that `name`, such as "libjvm.so"; NULL if there
 * is none. */
void *tclk_objects_named(const char *name);

#endif
