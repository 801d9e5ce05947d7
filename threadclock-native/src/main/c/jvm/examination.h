/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_EXAMINATION_H
#define TCLK_JVM_EXAMINATION_H

#include <stddef.h>

/*
 * What the command `doctor` has to know of this machine that only trying tells: every source is proved, whether
 * it would be used or not, and those that are sound are timed. For a process of its own: meanwhile the clock
 * reads from each of them in turn, and is as it was at first afterwards.
 *
 * A line a fact, its fields separated by tabs:
 *     version   the library's
 *     tick      ns, as the kernel tells; ns, as measured (0: no tick was seen)
 *     nohz_full the CPUs of which that is true; or nothing
 *     call      ps of a system call that does nothing
 *     counter   reason, ps of a look at it, kHz, words
 *     rseq      bytes of libc's areas (0: none), bytes that the kernel knows (AT_RSEQ_FEATURE_SIZE; 0: unknown)
 *     perf      1: its pages tell the time; -1: there is none
 *     sampled   reason, words
 *     source    name, reason, ps a read (0: not sound), words
 *     chosen    name
 * A reason is "sound", or a word for why it is refused, which never changes; the words may.
 */
#define TCLK_EXAMINATION_MAX_BYTES 4096

/* Returns the length of the whole text, as snprintf(3). About 0.2 s. Not async-signal-safe. */
size_t tclk_examine(char *buffer, size_t size);

#endif
