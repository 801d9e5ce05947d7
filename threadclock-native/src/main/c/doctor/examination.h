/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_DOCTOR_EXAMINATION_H
#define TCLK_DOCTOR_EXAMINATION_H

#include <stddef.h>

/*
 * Finds out, for the command `doctor`, what only trying can tell about this machine: every source is proved, whether it
 * would be used or not, and those that are sound are timed. Run it in a process of its own: meanwhile the clock reads
 * from each source in turn, and is as at first afterwards.
 *
 * It is a library of its own, with a second copy of kernel/ and clock/, so that what production loads does not measure
 * itself.
 *
 * Each fact is one line, whose fields are separated by tabs:
 *     version   the library's
 *     tick      ns by the kernel; ns as measured (0: no tick was seen)
 *     nohz_full the CPUs that are nohz_full; or nothing
 *     call      ps of a system call that does nothing
 *     counter   reason, ps of reading it, kHz, words
 *     rseq      bytes of libc's areas (0: none), bytes that the kernel knows (AT_RSEQ_FEATURE_SIZE; 0: unknown)
 *     perf      1: its pages tell the time; -1: there is no perf
 *     sampled   reason, words
 *     waits     reason, words: whether run-queue delay is known, and stands still between switches
 *     source    name, reason, ps a read (0: not sound), words
 *     chosen    name
 * A reason is "sound", or a word for why the source is refused. Reasons never change; the words after them may.
 */
#define TCLK_EXAMINATION_MAX_BYTES 4096

/* Returns the length of the whole text, as snprintf(3). Takes about 0.2 s. Not async-signal-safe. */
size_t tclk_examine(char *buffer, size_t size);

#endif
