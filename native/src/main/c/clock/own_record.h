/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_OWN_RECORD_H
#define TCLK_CLOCK_OWN_RECORD_H

#include "clock/record.h"

/* How a thread gets its record, and leaves it at its end. */

/* The calling thread's record, which it takes if it has none. NULL: the thread must be read as other threads read
 * it. */
struct tclk_record *tclk_own_record_ensure(void);

/* Call this when the library is loaded: from then on a thread that reads itself gets a record. */
void tclk_own_record_begin_process(void);

/* Call this in a child of fork(). Its thread has no record then. */
void tclk_own_record_after_fork(void);

#endif
