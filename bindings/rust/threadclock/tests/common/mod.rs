// SPDX-License-Identifier: Apache-2.0

//! The kernel's own clocks, and work of a known cost.
#![allow(dead_code)] // no test uses everything

use std::time::Duration;

/// How far a reading may be from the kernel's clock. It is some microseconds, except where a hypervisor takes the CPU
/// away; bugs are off by much more.
pub const SLACK: Duration = Duration::from_millis(5);

pub fn kernels(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writes.
    assert_eq!(unsafe { libc::clock_gettime(clock, &mut time) }, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

pub fn kernels_of_thread() -> Duration {
    kernels(libc::CLOCK_THREAD_CPUTIME_ID)
}

pub fn kernels_of_process() -> Duration {
    kernels(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Uses this much CPU time of the calling thread; the kernel's clock says how much it was.
pub fn spend(cpu: Duration) -> Duration {
    let start = kernels_of_thread();
    loop {
        let spent = kernels_of_thread() - start;
        if spent >= cpu {
            return spent;
        }
        work(2_000);
    }
}

/// Some ns in the program for each step.
pub fn work(steps: u32) {
    for n in 0..steps {
        // SAFETY: `n` is valid for reads.
        unsafe { std::ptr::read_volatile(&n) };
    }
}

/// `true` in a child of `fork`: there, whether `holds`.
pub fn in_child(holds: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child reads clocks and ends; it needs no lock that another thread may hold.
    unsafe {
        let pid = libc::fork();
        if pid == 0 {
            // A panic would end this thread alone, which is the last one here: that looks like success.
            let holds = std::panic::catch_unwind(std::panic::AssertUnwindSafe(holds));
            libc::_exit(i32::from(!holds.unwrap_or(false)));
        }
        assert!(pid > 0, "fork failed");
        let mut status = 0;
        assert_eq!(libc::waitpid(pid, &mut status, 0), pid);
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }
}

pub fn at_least(actual: Duration, least: Duration, what: &str) {
    assert!(actual + SLACK >= least, "{}: {:?}, expected {:?} or more", what, actual, least);
}

pub fn at_most(actual: Duration, most: Duration, what: &str) {
    assert!(actual <= most + SLACK, "{}: {:?}, expected {:?} or less", what, actual, most);
}
