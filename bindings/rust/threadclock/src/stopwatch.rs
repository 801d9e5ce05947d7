// SPDX-License-Identifier: Apache-2.0

use crate::{clock, fork, thread, Error, Times};
use std::marker::PhantomData;

/// Tells what the calling thread has used since the stopwatch was started.
///
/// It is of one thread, and stays there: it is neither [`Send`] nor [`Sync`], so that no other thread can read it. For
/// the same reason a future that keeps one over an `.await` cannot be spawned on a runtime of several threads. There,
/// use [`Accounted`](crate::Accounted).
///
/// ```
/// let watch = threadclock::Stopwatch::start();
/// let sum: u64 = (0..100_000).sum();
/// println!("{} cost {}", sum, watch.elapsed()?);
/// # Ok::<(), threadclock::Error>(())
/// ```
///
/// ```compile_fail,E0277
/// let watch = threadclock::Stopwatch::start();
/// std::thread::spawn(move || watch.elapsed()); // another thread
/// ```
///
/// ```compile_fail,E0277
/// let watch = threadclock::Stopwatch::start();
/// std::thread::scope(|scope| { scope.spawn(|| watch.elapsed()); }); // another thread
/// ```
#[derive(Clone, Debug)]
pub struct Stopwatch {
    start: Result<Times, Error>,
    forks: u32,
    of_this_thread: PhantomData<*const ()>,
}

impl Stopwatch {
    /// Starts a stopwatch. Cost: one reading, as [`thread::times`].
    #[inline]
    pub fn start() -> Stopwatch {
        let forks = fork::count(); // first: a fork in between makes the watch one of the parent
        Stopwatch { start: thread::times(), forks, of_this_thread: PhantomData }
    }

    /// What this thread has used since the start; the watch runs on. Cost: one reading, as [`thread::times`].
    ///
    /// # Errors
    ///
    /// [`Error::Forked`] in a child of `fork` (not of `vfork` or a bare `clone`) if it was started in the parent, and the
    /// errors of [`thread::times`], also that of the start.
    #[inline]
    pub fn elapsed(&self) -> Result<Times, Error> {
        let start = self.start?;
        let now = clock::read()?;
        if self.forks != fork::count() {
            return Err(Error::Forked);
        }
        Ok(now.since(start))
    }
}
