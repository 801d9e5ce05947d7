/* SPDX-License-Identifier: Apache-2.0 */
#ifndef THREADCLOCK_H
#define THREADCLOCK_H

/**
 * @file threadclock.h
 * The cost of a thread on Linux: CPU time, user time and system time (CPU time = user time + system
 * time). For the calling thread, a reading costs one time-stamp-counter read; for another thread, it
 * costs a system call.
 *
 * All times are nanoseconds of CPU time since the thread started; a restore of the process from a
 * checkpoint does not reset them. They never decrease, and between any two readings of one thread the
 * user time grows by no more than the CPU time. The sources `ticks` and `proc`, which are for comparison,
 * pass their values through and promise neither.
 *
 * Every function that reads is thread-safe and async-signal-safe, takes no lock, leaves errno as it
 * was, and allocates nothing (the first read of a thread takes a 320-byte record from a pool that
 * the library maps itself). There is one exception, in glibc: in a process that had 32 thread-specific keys
 * (pthread_key_create(3)) before this library was loaded, glibc allocates 512 bytes in each thread's
 * first read, which should then not be in a signal handler. No function is a cancellation point
 * (pthread_cancel(3)), and none may be called by a thread whose cancellation is asynchronous.
 * How it works: docs/extrapolation.md. How exact it is: docs/accuracy.md. (`make install` puts docs/ into
 * share/doc/threadclock.)
 *
 * A process may have several copies of this library, also of other versions. The one that was loaded first is the
 * clock; the others ask it, so that all of them return one sequence of times for a thread. A copy that cannot ask it,
 * because the two differ too much, returns -EEXIST from each function that reads or configures (docs/c.md).
 *
 * The binary interface. The number in the library's name (libthreadclock.so.0) grows with a change that programs
 * would have to be built anew for; with any other change, what was built for an earlier library runs with a later one.
 * For that,
 *   - each function has a version, and none goes or changes what it takes and gives;
 *   - values of enumerations are never used again for something else;
 *   - struct tclk_times is as it is for ever;
 *   - struct tclk_config, struct tclk_stats and struct tclk_waits get fields at their end. The library is told how
 *     long they are in the program, by tclk_clock_configure(), tclk_clock_stats(), tclk_thread_waits() and
 *     tclk_tid_waits() themselves; other languages call the functions that take the size.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program that compiles the library into itself defines TCLK_STATIC, and -fvisibility=hidden then holds: nothing is
 * exported that another copy of the library in the same process could be bound to. */
#ifndef TCLK_STATIC
#pragma GCC visibility push(default)
#endif

/** Where readings come from. `auto` takes the first of rseq, perf, ids and clock that passes its self-test. */
enum tclk_source {
    TCLK_SOURCE_AUTO = 0,
    TCLK_SOURCE_RSEQ = 1,  /**< counter between switches, which an rseq area detects */
    TCLK_SOURCE_PERF = 2,  /**< counter between switches, which a mapped perf page detects */
    TCLK_SOURCE_CLOCK = 3, /**< one system call a read (clock_gettime) */
    TCLK_SOURCE_TICKS = 4, /**< the raw tick counter, as JDK 26 reads user time; for comparison */
    TCLK_SOURCE_PROC = 5,  /**< /proc/self/task/TID/stat, as JDK 8 to 25 do; for comparison */
    TCLK_SOURCE_IDS = 6    /**< counter between switches, which an rseq area's ids detect */
};

/** How CPU time is divided into user and system time (docs/accuracy.md). */
enum tclk_split {
    TCLK_SPLIT_SMOOTHED = 0, /**< at the present share, steered to the kernel's over 250 ms of CPU; threads
                                                    that sleep often by short bouts of samples */
    TCLK_SPLIT_TICKS = 1,    /**< the raw tick counter; for comparison, one system call a read */
    TCLK_SPLIT_SAMPLED = 2   /**< a perf event samples each thread that reads itself, each
                                    tclk_config.sample_period_ns of its CPU time: right for single
                                    requests, at a price (docs/accuracy.md). Once chosen, it and
                                    its period stay until the process ends.
                                    Smoothed where perf events are refused; tclk_clock_explain() tells */
};

/** One consistent reading. user_ns + system_ns == cpu_ns. */
struct tclk_times {
    int64_t cpu_ns;
    int64_t user_ns;
    int64_t system_ns;
};

/** A figure that is not known. It is never told as 0. */
#define TCLK_UNKNOWN (-1)

/** How a thread waits, counted since it started. Wall time = CPU time + run-queue delay + the time in which the thread
 *  did not want to run (asleep, blocked, stopped); what a hypervisor steals is CPU time or part of any of them, and is
 *  not told apart. */
struct tclk_waits {
    /** Time, ns, in which the thread was runnable and another one had its CPU, or in which the CPU quota of its control
     *  group was used up while it wanted to run. TCLK_UNKNOWN where the kernel does not tell. A wait that goes on is
     *  added when it ends, so a thread that reads itself gets all of its waits. */
    int64_t run_delay_ns;
    /** Times that the thread gave up its CPU itself: it slept, blocked or stopped. TCLK_UNKNOWN as above. */
    int64_t voluntary_switches;
    /** Times that it was switched out while it could have gone on. TCLK_UNKNOWN as above. */
    int64_t involuntary_switches;
};

/** The settings of tclk_clock_configure(). All zero means the defaults. */
struct tclk_config {
    enum tclk_source source;
    enum tclk_split split;
    /** Longest time, ns, that a reading may be extrapolated before the kernel is asked again:
     *  100 000 (100 us) to 100 000 000 (100 ms); 0 means the default, 4 000 000 (4 ms). */
    int64_t window_ns;
    /** For TCLK_SPLIT_SAMPLED: CPU time, ns, between two samples of a thread, 90 000 (90 us) to
     *  10 000 000 (10 ms); 0 means the default, 90 000. The period in use is at least an eighth shorter, so
     *  that samples are not in step with rounds of work, but not below 89 603 (docs/accuracy.md). */
    int64_t sample_period_ns;
};

/** Counts of what the clock has done so far in this process. A resync asks the kernel once or more. */
struct tclk_stats {
    uint64_t resyncs_first;     /**< first read of a thread */
    uint64_t resyncs_switch;    /**< the thread had been switched out, or had got a signal */
    uint64_t resyncs_window;    /**< the window was over */
    uint64_t resyncs_ahead;     /**< the last reading was ahead of the kernel's clock */
    uint64_t resyncs_overlap;   /**< a signal handler read the clock inside a read */
    uint64_t resyncs_unarmed;   /**< the thread had no detector: one system call a read */
    uint64_t lost;              /**< resyncs that lost their marker three times */
    uint64_t demotions;         /**< sources that failed the continuous check: 0 to 3 */
    uint64_t threads;           /**< threads that hold a record now */
    uint64_t threads_observed;  /**< records of threads that only others have read, or that ended */
    uint64_t threads_suspected; /**< threads that sleep too often to be divided by clock ticks */
    uint64_t threads_unsampled; /**< threads of these that cannot be sampled: perf events are refused */
};

/** CPU time of the calling thread, in ns since it started.
 *  Thread-safe; async-signal-safe. Cost: one counter read while the thread has not been switched out
 *  since its last read, else one to three system calls (figures: docs/benchmarks.md).
 *  @return ns >= 0, or a negative errno: -EINVAL where the kernel has no thread CPU clock
 *  Source: the time-stamp counter, anchored by clock_gettime(2) on the thread's CPU clock. */
int64_t tclk_thread_cpu_ns(void);

/** User time of the calling thread, in ns since it started; never more than its CPU time.
 *  Thread-safe; async-signal-safe. Cost as for tclk_thread_cpu_ns().
 *  @return ns >= 0, or a negative errno as tclk_thread_cpu_ns(); with source `proc` also the error
 *          of opening /proc/self/task/TID/stat; -EPERM if a seccomp filter may kill for asking
 *          (docs/internals/kernel-abi.md)
 *  Source: CPU time x the user share that the kernel's ticks show (getrusage(2)). */
int64_t tclk_thread_user_ns(void);

/** User, system and CPU time of the calling thread in one consistent reading.
 *  Thread-safe; async-signal-safe. Cost as for tclk_thread_cpu_ns().
 *  @param times  out; untouched on error
 *  @return 0, or a negative errno as tclk_thread_user_ns() */
int tclk_thread_read(struct tclk_times *times);

/** How the calling thread has waited since it started: run-queue delay and switches, exactly as the kernel counts them
 *  at one moment of the call. (If the thread is switched out again and again during the call, or the source is `clock`,
 *  each figure is that of a moment of its own.) The kernel counts only when it switches the thread, so nothing is asked
 *  while the detector shows that it has not: what was fetched last is right then.
 *  The figures of one thread never decrease, but after a restore of the process from a checkpoint (CRIU, CRaC) they
 *  start at 0 again, as the kernel's do. A fork child starts at 0.
 *  Thread-safe; async-signal-safe; leaves errno as it was; allocates nothing. Cost: one counter read while the thread
 *  has not been switched out, and its window is not over, since they were fetched; else what a reading of the clock
 *  costs and four system calls, one of which opens a file.
 *  Where the source has no detector, it costs four system calls each time (`make bench` measures it). The first call of
 * a process runs a self-test of about 2 ms.
 *  @param waits  out: its first `size` bytes; TCLK_UNKNOWN where this library knows no figure
 *  @return 0, or the negative errno for which some figures are TCLK_UNKNOWN; the others are right. Run-queue delay has
 *          -ENODATA (the kernel does not count it: CONFIG_SCHED_INFO), or the error of opening the file, such as
 *          -ENOENT (no /proc) or -EMFILE. tclk_clock_explain() says more
 *  Source: the second number of /proc/thread-self/schedstat, and getrusage(2) (docs/internals/kernel-abi.md). */
int tclk_thread_waits_sized(struct tclk_waits *waits, size_t size);

/** As tclk_thread_waits_sized(), with the size of the program's own struct. */
static inline int tclk_thread_waits(struct tclk_waits *waits)
{
    return tclk_thread_waits_sized(waits, sizeof *waits);
}

/** User, system and CPU time of a thread of this process: the calling thread or another one.
 *  The readings of one thread, by itself and by all others, are one sequence: a reading that begins after
 *  another one has ended returns no less CPU time and user time, and user time grows by no more than
 *  CPU time.
 *  A tid belongs to a thread only while the thread lives. After that the result is -ESRCH, or, once the
 *  kernel has given the tid to a new thread, only that thread's times. Callers that must distinguish the two need
 *  another way to know that the thread is alive.
 *  Thread-safe; async-signal-safe. Cost: for the calling thread as tclk_thread_read(). For another
 *  thread, one system call; two more once per clock tick (1/HZ) if it has run; some more at the first
 *  reading (figures: docs/benchmarks.md). That takes a 320-byte record, which is given back some time after the
 *  thread has ended.
 *  @param tid    kernel thread id (gettid(2)), as this process sees it
 *  @param times  out; untouched on error
 *  @return 0; -ESRCH (no such thread in this process: it may have ended); with source `proc` also the
 *          error of opening /proc/self/task/TID/stat; -EPERM as tclk_thread_user_ns()
 *  Source: clock_gettime(2) on the thread's CPU clocks (docs/internals/kernel-abi.md); for a thread that reads
 *          itself, its own user share. */
int tclk_tid_read(pid_t tid, struct tclk_times *times);

/** CPU time of a thread of this process, in ns; as tclk_tid_read(), with one system call at most, except at the
 *  first reading. @return ns >= 0, or a negative errno as tclk_tid_read() */
int64_t tclk_tid_cpu_ns(pid_t tid);

/** User time of a thread of this process, in ns; as tclk_tid_read().
 *  @return ns >= 0, or a negative errno as tclk_tid_read() */
int64_t tclk_tid_user_ns(pid_t tid);

/** Times of many threads, one after the other, each as tclk_tid_read().
 *  @param tids   `count` kernel thread ids, in any order; the same one may occur several times
 *  @param times  out, `count` of them; if a thread cannot be read, all three fields are the negative
 *                errno
 *  @return the number of threads that were read */
size_t tclk_tids_read(const pid_t *tids, size_t count, struct tclk_times *times);

/** How a thread of this process has waited: the calling thread, as tclk_thread_waits_sized(), or another one, as the
 *  kernel tells it. The run-queue delay and the switches of another thread are each of a moment of their own, and a
 * wait that goes on is added when it ends. The figures of one thread never decrease. A tid belongs to a thread only
 * while the thread lives, as for tclk_tid_read(). Thread-safe; async-signal-safe; leaves errno as it was; allocates
 * nothing. Cost, for another thread: six system calls, two of which open a file (`make bench` measures it).
 *  @param tid    kernel thread id (gettid(2)), as this process sees it
 *  @param waits  out: its first `size` bytes; TCLK_UNKNOWN where this library knows no figure; untouched if there is no
 *                such thread
 *  @return 0; -ESRCH (no such thread in this process: it may have ended); or as tclk_thread_waits_sized(), the negative
 *          errno for which some figures are TCLK_UNKNOWN; the others are right. Without /proc, which tells all of them,
 *          that is -ENOENT
 *  Source: the second number of /proc/self/task/TID/schedstat, and voluntary_ctxt_switches and
 *          nonvoluntary_ctxt_switches in /proc/self/task/TID/status (docs/internals/kernel-abi.md). */
int tclk_tid_waits_sized(pid_t tid, struct tclk_waits *waits, size_t size);

/** As tclk_tid_waits_sized(), with the size of the program's own struct. */
static inline int tclk_tid_waits(pid_t tid, struct tclk_waits *waits)
{
    return tclk_tid_waits_sized(tid, waits, sizeof *waits);
}

/** Chooses source, split, window and period for the whole process. May be called at any time. A thread that
 *  has read before applies the settings at its next resync, at most one window later, and its readings
 *  continue from where they were. Runs the self-tests that are due (a few milliseconds, once).
 *  Thread-safe; not async-signal-safe.
 *  @param config  of which `size` bytes are given: fields beyond mean their defaults
 *  @return 0; -EINVAL (a value out of its range); -E2BIG (something is set that this library does not
 *          know); -EBUSY (another thread is configuring or in a self-test: try again); -ENOTSUP (the
 *          source asked for is refused here; tclk_clock_explain() says why, and everything stays as it was);
 *          -EALREADY (threads are sampled at another period, or are to be sampled no more: as above) */
int tclk_clock_configure_sized(const struct tclk_config *config, size_t size);

/** As tclk_clock_configure_sized(), with the size of the program's own struct. */
static inline int tclk_clock_configure(const struct tclk_config *config)
{
    return tclk_clock_configure_sized(config, sizeof *config);
}

/** The source in use: never TCLK_SOURCE_AUTO. Runs the self-tests if nothing has been read yet.
 *  Thread-safe; async-signal-safe. */
enum tclk_source tclk_clock_source(void);

/** Says in words which source is in use, and why the better ones are not: one line for each source.
 *  Thread-safe; not async-signal-safe.
 *  @param buffer  out; always terminated if size > 0
 *  @return the length of the whole text (as snprintf(3): >= size means that it was cut) */
size_t tclk_clock_explain(char *buffer, size_t size);

/** Says in words why one source is not used, such as "perf_event_open refused: EACCES (13)", or
 *  "sound here", or "not tried". For TCLK_SOURCE_AUTO it says why the counter is not used, and for an unknown
 *  number "no such source". Thread-safe; not async-signal-safe.
 *  @return as tclk_clock_explain() */
size_t tclk_source_explain(enum tclk_source source, char *buffer, size_t size);

/** Adds up the counts of all threads. Thread-safe; async-signal-safe. Cost: a few ns a thread.
 *  The counts of a thread that reads at the same moment may be one read old.
 *  @param stats  out: its first `size` bytes; 0 where this library knows no count */
void tclk_clock_stats_sized(struct tclk_stats *stats, size_t size);

/** As tclk_clock_stats_sized(), with the size of the program's own struct. */
static inline void tclk_clock_stats(struct tclk_stats *stats)
{
    tclk_clock_stats_sized(stats, sizeof *stats);
}

/** "auto", "rseq", "perf", "clock", "ticks", "proc", "ids", or "?" for anything else. Async-signal-safe. */
const char *tclk_source_name(enum tclk_source source);

/** The library's version, such as "1.2.3". Async-signal-safe. */
const char *tclk_version(void);

#ifndef TCLK_STATIC
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
