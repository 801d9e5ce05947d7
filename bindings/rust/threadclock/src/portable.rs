// SPDX-License-Identifier: Apache-2.0

//! The clock of threads where the C core is not for: that of libc, if there is one. Same functions as `core.rs`.

use crate::{Error, Times, Waits};

/// Whether user and system time are known: where `getrusage` tells them of a thread.
pub(crate) const DIVIDES: bool = cfg!(any(target_os = "linux", target_os = "android", target_os = "freebsd"));

#[cfg(unix)]
#[inline]
pub(crate) fn cpu_ns() -> Result<u64, Error> {
    // SAFETY: all zero is a timespec.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: `time` is valid for writes.
    if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) } != 0 {
        return Err(refused());
    }
    Ok(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

#[cfg(not(unix))]
pub(crate) fn cpu_ns() -> Result<u64, Error> {
    Err(Error::Unsupported)
}

#[cfg(unix)]
fn refused() -> Error {
    Error::Refused(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

/// Where user time is not known, it is 0 here, and nobody is told.
pub(crate) fn read() -> Result<Times, Error> {
    let cpu_ns = cpu_ns()?;
    let user_ns = user_ns()?.min(cpu_ns);
    Ok(Times { cpu_ns, user_ns })
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn user_ns() -> Result<u64, Error> {
    // SAFETY: all zero is a rusage.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is valid for writes.
    if unsafe { libc::getrusage(libc::RUSAGE_THREAD, &mut usage) } != 0 {
        return Err(refused());
    }
    Ok(usage.ru_utime.tv_sec as u64 * 1_000_000_000 + usage.ru_utime.tv_usec as u64 * 1_000)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn user_ns() -> Result<u64, Error> {
    Ok(0)
}

/// The clock of another thread is not asked: a poll that goes on is added when it ends.
pub(crate) fn read_tid(_: i32) -> Option<Times> {
    None
}

pub(crate) fn ask_tid() -> i32 {
    1
}

pub(crate) fn waits() -> Waits {
    Waits::default()
}

pub(crate) fn source() -> &'static str {
    if cfg!(unix) {
        "clock_gettime"
    } else {
        "none"
    }
}

pub(crate) fn explanation() -> String {
    format!(
        "threadclock's core is for Linux on x86_64 and aarch64, 64 bits; this is {} on {}: source {}",
        std::env::consts::OS,
        std::env::consts::ARCH,
        source()
    )
}
