/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_VDSO_H
#define TCLK_KERNEL_VDSO_H

#if defined(__x86_64__)
#define TCLK_VDSO_CLOCK_GETTIME "__vdso_clock_gettime"
#elif defined(__aarch64__)
#define TCLK_VDSO_CLOCK_GETTIME "__kernel_clock_gettime"
#endif

/*
 * The kernel's functions in the process's memory, vdso(7). libc calls them too, but programs may have libraries
 * preloaded that take the place of libc's functions and make up times (libfaketime).
 *
 * Returns the address of the function of this name; NULL if there is none, as under Valgrind. Async-signal-safe.
 */
void *tclk_vdso_function(const char *name);

#endif
