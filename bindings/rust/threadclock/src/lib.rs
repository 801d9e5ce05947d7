// SPDX-License-Identifier: Apache-2.0

#![doc = include_str!("../README.md")]
//!
//! # What is here
//!
//! | to measure | use |
//! |---|---|
//! | what the calling thread has cost since it started | [`thread::cpu_time`], [`thread::times`] |
//! | what a piece of code has cost | [`Stopwatch`] |
//! | what a future, or many, have cost on all threads | [`Accounted`], [`Account`] |
//! | how long the calling thread has waited for a CPU | [`thread::waits`] |
//! | what spans of `tracing` have cost | `tracing::SpanTimes`, with the feature `tracing` |
//!
//! # Promises
//!
//! On Linux on x86_64 and aarch64, between any two readings of one thread, `0 <= user <= CPU` holds for what has been
//! added, and `user + system == CPU` for each reading. No reading goes back. The same is true of an [`Account`], and
//! after a `fork` of the child's readings, which start at 0.
//!
//! # Other systems
//!
//! Elsewhere the crate compiles as well, where there are 64-bit atomics. On other Linux systems, Android and FreeBSD,
//! readings are those of `clock_gettime` and `getrusage`, at the price of two system calls, and the promises hold for CPU
//! time only. On other Unix systems, such as macOS, CPU time is known, and everything else is [`Error::Unsupported`] or
//! `None`. On all others, such as Windows, nothing is known.
#![deny(missing_docs)]
#![allow(unknown_lints, unexpected_cfgs)] // threadclock_portable and threadclock_loom; [lints] is newer than Rust 1.63
#![deny(unsafe_op_in_unsafe_fn)]

mod account;
mod error;
mod fork;
mod part;
mod stopwatch;
pub mod thread;
mod times;
#[cfg(feature = "tracing")]
pub mod tracing;

#[cfg_attr(
    all(
        not(threadclock_portable),
        target_os = "linux",
        target_pointer_width = "64",
        target_endian = "little",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ),
    path = "core.rs"
)]
#[cfg_attr(
    not(all(
        not(threadclock_portable),
        target_os = "linux",
        target_pointer_width = "64",
        target_endian = "little",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )),
    path = "portable.rs"
)]
mod clock;

pub use account::{Account, Accounted};
pub use error::Error;
pub use stopwatch::Stopwatch;
pub use times::{Times, Waits};

/// The name of the source of this process's readings: `rseq`, `perf`, `ids` or `clock` where the C core works, else
/// `clock_gettime` or `none`. With `rseq`, `perf` and `ids` a reading costs one read of the time-stamp counter while
/// the thread has not been switched out; with `clock` and `clock_gettime`, it costs system calls.
///
/// If nothing has been read yet, this runs the self-tests of the sources, which takes a few milliseconds.
pub fn source() -> &'static str {
    clock::source()
}

/// Says in words which source is in use, and why better ones are not: one line for each source.
pub fn explanation() -> String {
    clock::explanation()
}
