// SPDX-License-Identifier: Apache-2.0

//! What one future has added to its account.
//!
//! *Assumptions.* One thread at a time begins and ends polls, and each sees what the one before it has written: that is
//! so for whoever has `&mut` on the future. Any thread may look at any time.
//!
//! *Guarantees.* A look sees the words of one moment, or none. The thread that polls never waits.

#[cfg(not(all(test, threadclock_loom)))]
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(all(test, threadclock_loom))]
use loom::sync::atomic::{AtomicU64, Ordering};

use crate::Times;

/// A sequence lock without its fences: words are stored by `Release` and loaded by `Acquire`, so whoever has seen a word
/// of a change sees that its version is odd, or another one.
pub(crate) struct Part {
    version: AtomicU64, // odd while the words change
    tid: AtomicU64,     // of the thread that polls; 0: none does
    start: Words,       // its reading when the poll began
    done: Words,        // all polls that have ended
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) version: u64,
    pub(crate) tid: i32,
    pub(crate) start: Times,
    pub(crate) done: Times,
}

struct Words {
    cpu_ns: AtomicU64,
    user_ns: AtomicU64,
}

impl Words {
    fn new() -> Words {
        Words { cpu_ns: AtomicU64::new(0), user_ns: AtomicU64::new(0) }
    }

    fn store(&self, times: Times) {
        self.cpu_ns.store(times.cpu_ns, Ordering::Release);
        self.user_ns.store(times.user_ns, Ordering::Release);
    }

    fn load(&self) -> Times {
        Times { cpu_ns: self.cpu_ns.load(Ordering::Acquire), user_ns: self.user_ns.load(Ordering::Acquire) }
    }
}

impl Part {
    pub(crate) fn new() -> Part {
        Part { version: AtomicU64::new(0), tid: AtomicU64::new(0), start: Words::new(), done: Words::new() }
    }

    /// A poll begins in this thread.
    pub(crate) fn begin(&self, tid: i32, start: Times) {
        self.change(|| {
            self.start.store(start);
            self.tid.store(tid as u64, Ordering::Release);
        });
    }

    /// The poll has ended, and has cost this.
    pub(crate) fn end(&self, cost: Times) {
        let done = self.done.load().plus(cost);
        self.change(|| {
            self.done.store(done);
            self.tid.store(0, Ordering::Release);
        });
    }

    fn change(&self, store: impl FnOnce()) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        store();
        self.version.store(version + 2, Ordering::Release);
    }

    /// `None` if the words changed meanwhile.
    pub(crate) fn look(&self) -> Option<Look> {
        let look = Look {
            version: self.version.load(Ordering::Acquire),
            tid: self.tid.load(Ordering::Acquire) as i32,
            start: self.start.load(),
            done: self.done.load(),
        };
        (look.version % 2 == 0 && self.is_still(look.version)).then_some(look)
    }

    /// Whether nothing has begun or ended since that version was loaded.
    pub(crate) fn is_still(&self, version: u64) -> bool {
        self.version.load(Ordering::Relaxed) == version
    }

    /// All polls that have ended. For the thread that polls, or after the last poll.
    pub(crate) fn done(&self) -> Times {
        self.done.load()
    }
}

/// RUSTFLAGS='--cfg threadclock_loom' cargo test -p threadclock --lib --release part
#[cfg(all(test, threadclock_loom))]
mod tests {
    use super::*;
    use loom::sync::Arc;

    fn times(ns: u64) -> Times {
        Times { cpu_ns: ns, user_ns: ns }
    }

    #[test]
    fn a_look_sees_the_words_of_one_moment_in_every_interleaving() {
        loom::model(|| {
            let part = Arc::new(Part::new());
            let polled = Arc::clone(&part);
            let poller = loom::thread::spawn(move || {
                polled.begin(1, times(10));
                polled.end(times(5));
            });
            if let Some(look) = part.look() {
                let expected = match look.version {
                    0 => (0, times(0), times(0)),
                    2 => (1, times(10), times(0)),
                    4 => (0, times(10), times(5)),
                    version => panic!("version {}", version),
                };
                assert_eq!((look.tid, look.start, look.done), expected);
            }
            poller.join().unwrap();
            assert_eq!(part.look().map(|look| look.done), Some(times(5)));
        });
    }
}
