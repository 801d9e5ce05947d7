/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_WAITING_H
#define ACCURACY_WAITING_H

#include "options.h"

/*
 * Threads that wait for their CPU, by which run-queue delay is judged (tclk_thread_waits()). Such a thread computes,
 * and never sleeps: it waits whenever it does not run, so the truth is its wall time less its CPU time, by the kernel's
 * clocks. That truth knows nothing of run queues. Time that a hypervisor steals is CPU time of the thread to most
 * kernels, so it is in neither.
 */

/* The name by which all of them are chosen. */
#define WAITING "waits"

/* Runs each in a process of its own, which prints the rows. False: one of them could not be run. One that needs what
 * this machine does not give is left out, with a line that names it. */
bool waiting_run(const struct options *options);

#endif
