// SPDX-License-Identifier: Apache-2.0

//! Counts the forks between the first process and this one. In a child of `fork`, clocks of threads begin at 0, and the
//! thread has another tid, although memory is the parent's.

use std::sync::atomic::{AtomicU32, Ordering};
#[cfg(unix)]
use std::sync::Once;

static FORKS: AtomicU32 = AtomicU32::new(0);

#[cfg(unix)]
extern "C" {
    // POSIX; threadclock needs no crate `libc` where it has its core.
    fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> i32;
}

#[cfg(unix)]
extern "C" fn child_begins() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// A number that differs in a child. Cost: two loads.
#[inline]
pub(crate) fn count() -> u32 {
    #[cfg(unix)]
    {
        static WATCH: Once = Once::new();
        // SAFETY: the handler may run in a child: it only adds to an atomic. Without memory for it, forks are not seen.
        WATCH.call_once(|| unsafe {
            pthread_atfork(None, None, Some(child_begins));
        });
    }
    FORKS.load(Ordering::Relaxed)
}
