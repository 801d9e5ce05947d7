// SPDX-License-Identifier: Apache-2.0

//! What futures have cost, on a runtime of several threads.

mod common;

use common::{at_least, at_most, in_child, kernels_of_process, spend, SLACK};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use threadclock::{Account, Accounted, Times};
use tokio::runtime::Runtime;
use tokio::task::yield_now;

/// One test at a time: they compare with the CPU time of the whole process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap()
}

fn cost(account: &Account) -> Duration {
    account.times().unwrap().cpu()
}

const MS: Duration = Duration::from_millis(1);

/// Polled as often as there are rounds, by whichever worker is free. Returns what the kernel's clock says of the work.
async fn work(rounds: u32) -> Duration {
    let mut spent = Duration::from_secs(0);
    for _ in 0..rounds {
        spent += spend(2 * MS);
        yield_now().await;
    }
    spent
}

#[test]
fn the_accounts_of_all_futures_add_up_to_the_work_of_the_process() {
    let _alone = alone();
    let runtime = runtime();
    let before = kernels_of_process();
    let tasks: Vec<_> = (1..=8)
        .map(|rounds| {
            let accounted = Accounted::new(work(rounds));
            (accounted.account().clone(), runtime.spawn(accounted))
        })
        .collect();
    let mut sum = Duration::from_secs(0);
    for (account, task) in tasks {
        let spent = runtime.block_on(task).unwrap();
        at_least(cost(&account), spent, "an account of work");
        sum += cost(&account);
    }
    at_most(sum, kernels_of_process() - before, "all accounts, in a process that has done nothing else");
}

#[test]
fn an_account_of_many_futures_has_the_sum() {
    let _alone = alone();
    let runtime = runtime();
    let account = Account::new();
    let before = kernels_of_process();
    let tasks: Vec<_> = (0..8).map(|_| runtime.spawn(account.measure(work(3)))).collect();
    let spent: Duration = tasks.into_iter().map(|task| runtime.block_on(task).unwrap()).sum();
    at_least(cost(&account), spent, "the account of eight futures");
    at_most(cost(&account), kernels_of_process() - before, "the account of eight futures");
}

#[test]
fn time_between_polls_does_not_count() {
    let _alone = alone();
    let runtime = runtime();
    let account = Account::new();
    runtime.block_on(account.measure(async {
        let others = tokio::spawn(async { spend(40 * MS) });
        tokio::time::sleep(MS).await;
        others.await.unwrap();
    }));
    at_most(cost(&account), MS, "a future that waits for another task");
}

#[test]
fn a_poll_that_goes_on_is_told_to_other_threads() {
    if threadclock::source() == "clock_gettime" {
        return; // no thread can ask for another one's clock there
    }
    let _alone = alone();
    let account = Account::new();
    let stop = Arc::new(AtomicBool::new(false));
    let spun = Arc::clone(&stop);
    let runtime = runtime();
    let task = runtime.spawn(account.measure(async move {
        // One poll. The limit is for an account that never tells.
        let mut spent = Duration::from_secs(0);
        while !spun.load(Ordering::Relaxed) && spent < 2_000 * MS {
            spent += spend(MS);
        }
        (spent, spun.load(Ordering::Relaxed))
    }));
    let mut told = Times::default();
    while told.cpu() < 10 * MS && !task.is_finished() {
        let now = account.times().unwrap();
        assert!(now.cpu() >= told.cpu() && now.user() >= told.user());
        told = now;
    }
    stop.store(true, Ordering::Relaxed);
    let (spent, was_stopped) = runtime.block_on(task).unwrap();
    assert!(was_stopped, "10 ms were told only after the poll, of {:?}", spent);
    at_least(cost(&account), spent, "the whole poll");
}

#[test]
fn readings_of_an_account_never_go_back_while_polls_begin_and_end() {
    let _alone = alone();
    let runtime = runtime();
    let account = Account::new();
    let tasks: Vec<_> = (0..4)
        .map(|_| {
            runtime.spawn(account.measure(async {
                for _ in 0..5_000 {
                    yield_now().await;
                }
            }))
        })
        .collect();
    let mut before = Times::default();
    while !tasks.iter().all(|task| task.is_finished()) {
        let after = account.times().unwrap();
        assert_eq!(after.user() + after.system(), after.cpu());
        assert!(after.cpu() >= before.cpu() && after.user() >= before.user(), "{:?} to {:?}", before, after);
        assert!(after.user() - before.user() <= after.cpu() - before.cpu(), "{:?} to {:?}", before, after);
        before = after;
    }
}

#[test]
fn a_future_within_one_of_the_same_account_counts_once() {
    let _alone = alone();
    let account = Account::new();
    let before = kernels_of_process();
    let inner = account.clone();
    let spent = runtime().block_on(account.measure(async move { inner.measure(inner.measure(work(10))).await }));
    at_least(cost(&account), spent, "one account, nested");
    at_most(cost(&account), kernels_of_process() - before, "one account, nested");
}

#[test]
fn nested_accounts_each_have_the_whole_cost_of_their_futures() {
    let _alone = alone();
    let (request, query) = (Account::new(), Account::new());
    let inner = query.clone();
    let (own, inner) = runtime().block_on(request.measure(async move {
        let own = spend(10 * MS);
        (own, inner.measure(work(5)).await)
    }));
    at_least(cost(&request), own + inner, "the outer account");
    at_least(cost(&query), inner, "the inner account");
    at_most(cost(&query), cost(&request) - own, "the inner account");
}

#[test]
fn a_poll_that_panics_has_ended() {
    let _alone = alone();
    let runtime = runtime();
    let account = Account::new();
    let task = runtime.spawn(account.measure(async {
        spend(10 * MS);
        std::panic::resume_unwind(Box::new("planned")); // says nothing on stderr
    }));
    assert!(runtime.block_on(task).is_err());
    let at_end = cost(&account);
    at_least(at_end, 10 * MS, "what it has cost up to the panic");
    let again = runtime.block_on(account.measure(work(2)));
    at_least(cost(&account), at_end + again, "the account after a panic");
}

/// Forks within a poll, and asks in the child when the poll is over.
#[test]
fn a_poll_that_forks_counts_in_the_child_what_the_child_has_used() {
    let _alone = alone();
    let account = Account::new();
    let mut future = Box::pin(account.measure(ForksOnce));
    let waker = std::task::Waker::from(Arc::new(Nobody));
    // The child, and its child, end in here.
    assert!(in_child(|| {
        spend(30 * MS); // more than the other one will use
        let is_child = future.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Ready(true);
        let cost = cost(&account);
        !is_child || (cost + SLACK >= 10 * MS && cost < 30 * MS)
    }));
}

/// Ready with whether this is the child.
struct ForksOnce;

impl Future for ForksOnce {
    type Output = bool;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<bool> {
        spend(40 * MS);
        // SAFETY: as in in_child().
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            spend(10 * MS);
            return Poll::Ready(true);
        }
        let mut status = 0;
        // SAFETY: `status` is valid for writes.
        unsafe { libc::waitpid(pid, &mut status, 0) };
        assert_eq!(status, 0, "the child's account");
        Poll::Ready(false)
    }
}

struct Nobody;

impl std::task::Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}
