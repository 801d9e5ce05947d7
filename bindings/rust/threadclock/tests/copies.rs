// SPDX-License-Identifier: Apache-2.0

//! A program may load another copy of the library: `libthreadclock.so`, as the agent of a JVM that it embeds.
#![cfg(target_os = "linux")]

mod common;

use common::spend;
use std::ffi::CString;
use std::time::Duration;
use threadclock::thread;

#[test]
fn another_copy_in_the_process_is_the_same_clock() {
    let library = match std::env::var("THREADCLOCK_LIBRARY") {
        Ok(library) => CString::new(library).unwrap(),
        Err(_) => return println!("THREADCLOCK_LIBRARY does not name libthreadclock.so"),
    };
    // SAFETY: both are strings that end with 0, and the function has this type.
    let theirs: unsafe extern "C" fn() -> i64 = unsafe {
        let handle = libc::dlopen(library.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL);
        assert!(!handle.is_null(), "dlopen of {:?}", library);
        let name = b"tclk_thread_cpu_ns\0".as_ptr().cast();
        let theirs = libc::dlsym(handle, name);
        assert!(!theirs.is_null());
        assert_eq!(libc::dlsym(libc::RTLD_DEFAULT, name), theirs, "this program exports none of its own");
        std::mem::transmute(theirs)
    };
    let mut ours = (Duration::ZERO, thread::cpu_time());
    for _ in 0..200 {
        spend(Duration::from_micros(20));
        // SAFETY: it has no preconditions.
        let their = Duration::from_nanos(unsafe { theirs() } as u64);
        ours = (ours.1, thread::cpu_time());
        assert!(ours.0 <= their && their <= ours.1, "{:?}, between {:?}", their, ours);
    }
}
