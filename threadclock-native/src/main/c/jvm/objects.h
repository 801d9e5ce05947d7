/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_OBJECTS_H
#define TCLK_JVM_OBJECTS_H

/* Returns a handle for dlsym() of the loaded shared object whose file has that `name`, such as "libjvm.so"; NULL if
 * there is none, or no memory. Other threads may load and unload some meanwhile. */
void *tclk_objects_named(const char *name);

#endif
