// SPDX-License-Identifier: Apache-2.0

#![doc = include_str!("../README.md")]
//! Names are those of `threadclock.h`, whose comments are the specification: what each function does, its unit, its
//! errors, and what it costs. All functions may be called in any thread. Those that read are async-signal-safe.
#![no_std]
#![deny(missing_docs)]
#![allow(non_camel_case_types)]
#![cfg(all(
    target_os = "linux",
    target_pointer_width = "64",
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

/// C's `char`. (`core::ffi` has it since Rust 1.64.)
#[cfg(target_arch = "x86_64")]
pub type c_char = i8;
/// C's `char`. (`core::ffi` has it since Rust 1.64.)
#[cfg(target_arch = "aarch64")]
pub type c_char = u8;
/// C's `int`.
pub type c_int = i32;
/// The kernel's number of a thread.
pub type pid_t = i32;

/// Where readings come from: one of `TCLK_SOURCE_…`. Not a Rust enum, because a later library may know more.
pub type tclk_source = u32;
/// The first of rseq, perf, ids and clock that passes its self-test.
pub const TCLK_SOURCE_AUTO: tclk_source = 0;
/// Counter between switches, which an rseq area detects.
pub const TCLK_SOURCE_RSEQ: tclk_source = 1;
/// Counter between switches, which a mapped perf page detects.
pub const TCLK_SOURCE_PERF: tclk_source = 2;
/// One system call a read.
pub const TCLK_SOURCE_CLOCK: tclk_source = 3;
/// The raw tick counter; for comparison.
pub const TCLK_SOURCE_TICKS: tclk_source = 4;
/// `/proc/self/task/TID/stat`; for comparison.
pub const TCLK_SOURCE_PROC: tclk_source = 5;
/// Counter between switches, which an rseq area's ids detect.
pub const TCLK_SOURCE_IDS: tclk_source = 6;

/// How CPU time is divided into user and system time: one of `TCLK_SPLIT_…`.
pub type tclk_split = u32;
/// At the present share, steered to the kernel's; by samples where clock ticks cannot be trusted.
pub const TCLK_SPLIT_SMOOTHED: tclk_split = 0;
/// The raw tick counter; for comparison.
pub const TCLK_SPLIT_TICKS: tclk_split = 1;
/// A perf event samples each thread that reads itself.
pub const TCLK_SPLIT_SAMPLED: tclk_split = 2;

/// A figure that is not known. It is never told as 0.
pub const TCLK_UNKNOWN: i64 = -1;

/// One consistent reading, in ns: `user_ns + system_ns == cpu_ns`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tclk_times {
    /// CPU time since the thread started.
    pub cpu_ns: i64,
    /// User time since the thread started.
    pub user_ns: i64,
    /// System time since the thread started.
    pub system_ns: i64,
}

/// How a thread has waited since it started. Each figure may be [`TCLK_UNKNOWN`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tclk_waits {
    /// Time, ns, in which the thread was runnable and had no CPU.
    pub run_delay_ns: i64,
    /// Times that the thread gave up its CPU itself.
    pub voluntary_switches: i64,
    /// Times that it was switched out while it could have gone on.
    pub involuntary_switches: i64,
}

/// The settings of [`tclk_clock_configure_sized`]. All zero means the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tclk_config {
    /// Where readings come from.
    pub source: tclk_source,
    /// How CPU time is divided.
    pub split: tclk_split,
    /// Longest time, ns, for which a reading may be extrapolated.
    pub window_ns: i64,
    /// CPU time, ns, between two samples of a thread.
    pub sample_period_ns: i64,
}

/// Counts of what the clock has done so far in this process.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tclk_stats {
    /// First reads of a thread.
    pub resyncs_first: u64,
    /// The thread had been switched out, or had got a signal.
    pub resyncs_switch: u64,
    /// The window was over.
    pub resyncs_window: u64,
    /// The last reading was ahead of the kernel's clock.
    pub resyncs_ahead: u64,
    /// A signal handler read the clock inside a read.
    pub resyncs_overlap: u64,
    /// The thread had no detector.
    pub resyncs_unarmed: u64,
    /// Resyncs that lost their marker three times.
    pub lost: u64,
    /// Sources that failed the continuous check.
    pub demotions: u64,
    /// Threads that hold a record now.
    pub threads: u64,
    /// Records of threads that only others have read, or that ended.
    pub threads_observed: u64,
    /// Threads whose clock ticks cannot be trusted now.
    pub threads_suspected: u64,
    /// Suspected threads that cannot be sampled.
    pub threads_unsampled: u64,
}

extern "C" {
    /// CPU time of the calling thread, ns, or a negative errno.
    pub fn tclk_thread_cpu_ns() -> i64;
    /// User time of the calling thread, ns, or a negative errno.
    pub fn tclk_thread_user_ns() -> i64;
    /// User, system and CPU time of the calling thread. 0 or a negative errno.
    pub fn tclk_thread_read(times: *mut tclk_times) -> c_int;
    /// How the calling thread has waited. 0 or a negative errno.
    pub fn tclk_thread_waits_sized(waits: *mut tclk_waits, size: usize) -> c_int;
    /// User, system and CPU time of a thread of this process. 0 or a negative errno.
    pub fn tclk_tid_read(tid: pid_t, times: *mut tclk_times) -> c_int;
    /// CPU time of a thread of this process, ns, or a negative errno.
    pub fn tclk_tid_cpu_ns(tid: pid_t) -> i64;
    /// User time of a thread of this process, ns, or a negative errno.
    pub fn tclk_tid_user_ns(tid: pid_t) -> i64;
    /// Times of `count` threads. The number of threads that were read.
    pub fn tclk_tids_read(tids: *const pid_t, count: usize, times: *mut tclk_times) -> usize;
    /// How a thread of this process has waited. 0 or a negative errno.
    pub fn tclk_tid_waits_sized(tid: pid_t, waits: *mut tclk_waits, size: usize) -> c_int;
    /// Chooses source, split, window and period. Not async-signal-safe. 0 or a negative errno.
    pub fn tclk_clock_configure_sized(config: *const tclk_config, size: usize) -> c_int;
    /// The source in use.
    pub fn tclk_clock_source() -> tclk_source;
    /// Says in words which source is in use. Not async-signal-safe. The length of the whole text.
    pub fn tclk_clock_explain(buffer: *mut c_char, size: usize) -> usize;
    /// Says in words why one source is not used. Not async-signal-safe. The length of the whole text.
    pub fn tclk_source_explain(source: tclk_source, buffer: *mut c_char, size: usize) -> usize;
    /// Adds up the counts of all threads.
    pub fn tclk_clock_stats_sized(stats: *mut tclk_stats, size: usize);
    /// The name of a source: a string that ends with 0 and lives for ever.
    pub fn tclk_source_name(source: tclk_source) -> *const c_char;
    /// The library's version: a string that ends with 0 and lives for ever.
    pub fn tclk_version() -> *const c_char;
}
