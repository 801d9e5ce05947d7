// SPDX-License-Identifier: Apache-2.0

//! The clock of threads: the C core. `portable.rs` has the same functions for other systems.

use crate::{Error, Times, Waits};
use std::ffi::CStr;
use std::mem::size_of;
use std::time::Duration;
use threadclock_sys as sys;

/// Whether user and system time are known.
pub(crate) const DIVIDES: bool = true;

#[inline]
pub(crate) fn cpu_ns() -> Result<u64, Error> {
    // SAFETY: it has no preconditions.
    let ns = unsafe { sys::tclk_thread_cpu_ns() };
    u64::try_from(ns).map_err(|_| Error::Refused(-ns as i32))
}

#[inline]
pub(crate) fn read() -> Result<Times, Error> {
    let mut times = sys::tclk_times::default();
    // SAFETY: `times` is valid for writes.
    match unsafe { sys::tclk_thread_read(&mut times) } {
        0 => Ok(known(times)),
        error => Err(Error::Refused(-error)),
    }
}

/// Of a thread of this process; `None` if it has ended. One system call, seldom more.
pub(crate) fn read_tid(tid: i32) -> Option<Times> {
    let mut times = sys::tclk_times::default();
    // SAFETY: `times` is valid for writes.
    (unsafe { sys::tclk_tid_read(tid, &mut times) } == 0).then(|| known(times))
}

// The core promises 0 <= user <= CPU.
#[inline]
fn known(times: sys::tclk_times) -> Times {
    Times { cpu_ns: times.cpu_ns as u64, user_ns: times.user_ns as u64 }
}

/// The tid of the calling thread. One system call.
pub(crate) fn ask_tid() -> i32 {
    extern "C" {
        fn syscall(number: std::os::raw::c_long, ...) -> std::os::raw::c_long; // libc's gettid() is newer than glibc 2.17
    }
    const SYS_GETTID: std::os::raw::c_long = if cfg!(target_arch = "x86_64") { 186 } else { 178 };
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { syscall(SYS_GETTID) as i32 }
}

#[inline]
pub(crate) fn waits() -> Waits {
    let mut waits = sys::tclk_waits::default();
    // SAFETY: `waits` is valid for writes of its size. The error says why figures are unknown; the others are right.
    unsafe { sys::tclk_thread_waits_sized(&mut waits, size_of::<sys::tclk_waits>()) };
    let known = |figure: i64| u64::try_from(figure).ok();
    Waits {
        run_delay: known(waits.run_delay_ns).map(Duration::from_nanos),
        voluntary_switches: known(waits.voluntary_switches),
        involuntary_switches: known(waits.involuntary_switches),
    }
}

pub(crate) fn source() -> &'static str {
    // SAFETY: the name ends with 0 and lives for ever.
    let name = unsafe { CStr::from_ptr(sys::tclk_source_name(sys::tclk_clock_source())) };
    name.to_str().unwrap_or("?")
}

pub(crate) fn explanation() -> String {
    let mut text = vec![0u8; 4096];
    // SAFETY: `text` is valid for writes of its length.
    let length = unsafe { sys::tclk_clock_explain(text.as_mut_ptr().cast(), text.len()) };
    text.truncate(length.min(text.len() - 1)); // without the 0 at its end
    String::from_utf8_lossy(&text).into_owned()
}
