// SPDX-License-Identifier: Apache-2.0

use crate::part::Part;
use crate::{clock, fork, thread, Error, Times};
use pin_project_lite::pin_project;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// Adds up the CPU time of futures over their polls, on whatever threads these run.
///
/// A clone is another handle of the same account. Any thread may read it at any time, also while futures are polled:
/// the poll that goes on is included up to the moment of the reading (where the C core works; elsewhere it is added
/// when it ends). Readings never go back, and user time grows by no more than CPU time.
///
/// ```
/// # let block_on = |future: &mut (dyn std::future::Future<Output = u64> + Unpin)| {
/// #     let waker = std::task::Waker::from(std::sync::Arc::new(Nobody));
/// #     match std::pin::Pin::new(future).poll(&mut std::task::Context::from_waker(&waker)) {
/// #         std::task::Poll::Ready(sum) => sum,
/// #         std::task::Poll::Pending => unreachable!(),
/// #     }
/// # };
/// # struct Nobody;
/// # impl std::task::Wake for Nobody { fn wake(self: std::sync::Arc<Self>) {} }
/// let account = threadclock::Account::new();
/// let mut request = Box::pin(account.measure(async { (0..100_000).sum::<u64>() }));
/// // tokio::spawn(request), or any other executor
/// # block_on(&mut request);
/// println!("the request has cost {}", account.times()?);
/// # Ok::<(), threadclock::Error>(())
/// ```
#[derive(Clone)]
pub struct Account {
    ledger: Arc<Mutex<Ledger>>,
}

/// The lock is taken when a future begins and ends, and by readers: never by a poll.
#[derive(Default)]
struct Ledger {
    retired: Times,                   // the sum of parts that are over
    parts: HashMap<usize, Arc<Part>>, // by their addresses
    told: Times,                      // the last reading
}

impl Account {
    /// An account on which nothing has been spent.
    pub fn new() -> Account {
        Account { ledger: Arc::default() }
    }

    /// Makes each poll of `future` count for this account. May be called for any number of futures, which may run at
    /// the same time; their costs add up.
    ///
    /// **Nothing counts twice within one account.** If a future that this account measures polls another one that it
    /// measures as well, in the same thread, the inner poll is a part of the outer one. Different accounts may be
    /// nested, and each has the whole cost of its futures.
    ///
    /// Cost: about two allocations here; two readings of the clock each poll.
    pub fn measure<F: Future>(&self, future: F) -> Accounted<F> {
        Accounted { future, seat: Seat::take(self) }
    }

    /// The CPU time of all polls up to now.
    ///
    /// Cost: one system call, seldom more, for each poll that goes on, and a walk over the futures that have not been
    /// dropped.
    ///
    /// # Errors
    ///
    /// Those of [`thread::times`], where polls could not be measured either; CPU time alone is known on all Unix systems.
    pub fn cpu_time(&self) -> Result<Duration, Error> {
        clock::cpu_ns()?;
        Ok(self.read().cpu())
    }

    /// User, system and CPU time of all polls up to now. Cost: as [`Account::cpu_time`].
    ///
    /// # Errors
    ///
    /// Those of [`thread::times`], where polls could not be measured either.
    pub fn times(&self) -> Result<Times, Error> {
        thread::times()?;
        Ok(self.read())
    }

    fn read(&self) -> Times {
        let mut ledger = self.lock();
        let now = ledger.parts.values().fold(ledger.retired, |sum, part| sum.plus(so_far(part)));
        ledger.told = ledger.told.advanced_to(now);
        ledger.told
    }

    /// A panic under the lock leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn address(&self) -> usize {
        Arc::as_ptr(&self.ledger) as usize
    }
}

impl Default for Account {
    fn default() -> Account {
        Account::new()
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("times", &self.read()).finish()
    }
}

/// Looks at a part of which polls begin and end meanwhile. A poll that goes on is included if it still goes on when the
/// thread's clock has been read. After this many looks, it is left out.
const LOOKS: u32 = 16;

fn so_far(part: &Part) -> Times {
    let mut seen = Times::default();
    for _ in 0..LOOKS {
        let look = match part.look() {
            Some(look) => look,
            None => continue,
        };
        seen = look.done;
        if look.tid == 0 {
            break;
        }
        let now = clock::read_tid(look.tid);
        if part.is_still(look.version) {
            return now.map_or(seen, |now| seen.plus(now.since(look.start)));
        }
    }
    seen
}

/// The place of a future in its account.
struct Seat {
    account: Account,
    part: Arc<Part>,
}

impl Seat {
    fn take(account: &Account) -> Seat {
        let part = Arc::new(Part::new());
        account.lock().parts.insert(Arc::as_ptr(&part) as usize, Arc::clone(&part));
        Seat { account: account.clone(), part }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut ledger = self.account.lock();
        ledger.parts.remove(&(Arc::as_ptr(&self.part) as usize));
        ledger.retired = ledger.retired.plus(self.part.done());
    }
}

pin_project! {
    /// A future each of whose polls counts for an [`Account`]. [`Account::measure`] makes it, and so does
    /// [`Accounted::new`].
    ///
    /// What the future costs when it is dropped does not count, and neither does what other tasks do for it.
    #[must_use = "futures do nothing unless they are polled"]
    pub struct Accounted<F> {
        #[pin]
        future: F,
        seat: Seat,
    }
}

impl<F: Future> Accounted<F> {
    /// Measures `future` on an account of its own. Cost: as [`Account::measure`].
    pub fn new(future: F) -> Accounted<F> {
        Account::new().measure(future)
    }
}

impl<F> Accounted<F> {
    /// The account that the polls count for.
    pub fn account(&self) -> &Account {
        &self.seat.account
    }
}

impl<F: fmt::Debug> fmt::Debug for Accounted<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accounted").field("future", &self.future).field("account", &self.seat.account).finish()
    }
}

impl<F: Future> Future for Accounted<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _running = Running::begin(this.seat);
        this.future.poll(context)
    }
}

thread_local! {
    /// The accounts that are being measured in this thread, by their addresses: the outermost first.
    static MEASURING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };

    /// The tid of this thread, and the number of forks when it was asked for. 0: not asked for yet.
    static TID: Cell<(i32, u32)> = const { Cell::new((0, 0)) };
}

/// A poll that goes on. It ends when this is dropped, also by a panic.
struct Running<'a> {
    seat: &'a Seat,
    is_outer: bool,              // else an outer poll of the same account, in this thread, measures it
    start: Option<(Times, u32)>, // with the number of forks then; None if the clock cannot be read
}

impl<'a> Running<'a> {
    fn begin(seat: &'a Seat) -> Running<'a> {
        let is_outer = enter(seat.account.address());
        let start = if is_outer { begin_part(&seat.part) } else { None };
        Running { seat, is_outer, start }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some((start, forks)) = self.start {
            end_part(&self.seat.part, start, forks);
        }
        if self.is_outer {
            leave();
        }
    }
}

/// False if this account is being measured in this thread. At the very end of a thread nobody can tell.
fn enter(account: usize) -> bool {
    let is_new = |all: &RefCell<Vec<usize>>| {
        let mut all = all.borrow_mut();
        let is_new = !all.contains(&account);
        if is_new {
            all.push(account);
        }
        is_new
    };
    MEASURING.try_with(is_new).unwrap_or(true)
}

/// Polls end in the reverse order in which they begin.
fn leave() {
    let _ = MEASURING.try_with(|all| all.borrow_mut().pop());
}

fn begin_part(part: &Part) -> Option<(Times, u32)> {
    let forks = fork::count();
    let start = clock::read().ok()?;
    part.begin(tid(forks), start);
    Some((start, forks))
}

/// In a child of `fork`, the clock began at 0 within this poll.
fn end_part(part: &Part, start: Times, forks: u32) {
    let now = clock::read().unwrap_or(start);
    let is_child = forks != fork::count();
    part.end(now.since(if is_child { Times::default() } else { start }));
}

/// The tid of this thread, for which the kernel is asked once.
fn tid(forks: u32) -> i32 {
    TID.with(|asked| {
        if asked.get().0 == 0 || asked.get().1 != forks {
            asked.set((clock::ask_tid(), forks));
        }
        asked.get().0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another thread's clock may have told it more of a poll than the poll tells at its end.
    #[test]
    fn an_account_never_tells_less_than_it_has_told() {
        let account = Account::new();
        let told = Times { cpu_ns: 10, user_ns: 5 };
        account.lock().told = told;
        assert_eq!(account.read(), told);
    }
}
