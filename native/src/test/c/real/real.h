/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_REAL_H
#define TCLK_TEST_REAL_H

/* What the tests of real/ share: the clock and the kernel's, the laws of readings, threads, children, and libc. */

#include "clocks.h"
#include "cpus.h"
#include "include/threadclock.h"
#include "kernel/tid.h"
#include "kind.h"
#include "laws.h"
#include "leftovers.h"
#include "process.h"
#include "seccomp.h"
#include "sources.h"
#include "stats.h"
#include "threads.h"
#include "watchers.h"
#include "witness.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <tap.h>
#include <time.h>
#include <unistd.h>

#endif
