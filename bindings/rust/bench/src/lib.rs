// SPDX-License-Identifier: Apache-2.0

//! What readings and polls by threadclock are compared with.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

pub fn clock_gettime() -> libc::timespec {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time
}

pub fn getrusage() -> libc::rusage {
    // SAFETY: all zero is a rusage, which is valid for writes.
    unsafe {
        let mut usage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    }
}

#[cfg(target_arch = "x86_64")]
pub fn counter() -> u64 {
    // SAFETY: every x86_64 has it.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
pub fn counter() -> std::time::Instant {
    std::time::Instant::now()
}

/// A task that is never done, and of which a poll costs nothing.
pub struct Idle;

impl Future for Idle {
    type Output = ();
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

/// The same, with libc's clock read before and after each poll.
pub struct TimedByLibc(pub Idle, pub Duration);

impl Future for TimedByLibc {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let start = cpu_time::ThreadTime::now();
        let result = Pin::new(&mut self.0).poll(context);
        self.1 += start.elapsed();
        result
    }
}
