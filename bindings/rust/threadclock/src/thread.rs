// SPDX-License-Identifier: Apache-2.0

//! The calling thread.
//!
//! All functions may be called in any thread at any time, take no lock and allocate nothing. The first reading of a
//! process runs the self-tests of the clock, which takes a few milliseconds.

use crate::{clock, Error, Times, Waits};
use std::time::Duration;

/// CPU time of the calling thread since it started.
///
/// Cost: one read of the time-stamp counter while the thread has not been switched out since its last reading, else one
/// or two system calls. [`source`](crate::source) tells whether that is so here.
///
/// # Panics
///
/// Where the system has no clock of threads that this crate knows, such as Windows, and where a copy of the library that
/// was loaded before has another interface; [`times`] returns an error there.
#[inline]
pub fn cpu_time() -> Duration {
    match clock::cpu_ns() {
        Ok(ns) => Duration::from_nanos(ns),
        Err(error) => panic!("{}", error),
    }
}

/// User, system and CPU time of the calling thread since it started, in one consistent reading.
///
/// Cost: as [`cpu_time`].
///
/// # Errors
///
/// [`Error::Unsupported`] where the system does not tell them; [`Error::Refused`] where the kernel has no clock of
/// threads, or a copy of the library that was loaded before has another interface.
#[inline]
pub fn times() -> Result<Times, Error> {
    if !clock::DIVIDES {
        return Err(Error::Unsupported);
    }
    clock::read()
}

/// How the calling thread has waited since it started: exactly what the kernel counts.
///
/// Cost: one read of the time-stamp counter while the thread has not been switched out since the last call, else what a
/// reading of the clock costs and four system calls, one of which opens a file.
#[inline]
pub fn waits() -> Waits {
    clock::waits()
}
