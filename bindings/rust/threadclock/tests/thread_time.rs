// SPDX-License-Identifier: Apache-2.0

//! Programs such as Vector have a small interface of their own, `ThreadTime`, that is read before and after each poll of
//! a task. This crate can be behind it, and an account can replace it.

mod common;

use common::{at_least, at_most, spend};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use threadclock::Accounted;
use tokio::task::yield_now;

trait ThreadTime: Copy {
    fn now() -> Self;
    fn elapsed(self) -> Duration;
}

#[derive(Clone, Copy)]
struct LibcTime(cpu_time::ThreadTime);

impl ThreadTime for LibcTime {
    fn now() -> LibcTime {
        LibcTime(cpu_time::ThreadTime::now())
    }
    fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[derive(Clone, Copy)]
struct ThreadclockTime(Duration);

impl ThreadTime for ThreadclockTime {
    fn now() -> ThreadclockTime {
        ThreadclockTime(threadclock::thread::cpu_time())
    }
    fn elapsed(self) -> Duration {
        threadclock::thread::cpu_time() - self.0
    }
}

/// Such a program's own wrapper.
struct Timed<T> {
    task: Pin<Box<dyn Future<Output = ()> + Send>>,
    total: Arc<Mutex<Duration>>,
    clock: std::marker::PhantomData<fn() -> T>,
}

impl<T: ThreadTime> Future for Timed<T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let start = T::now();
        let result = self.task.as_mut().poll(context);
        *self.total.lock().unwrap() += start.elapsed();
        result
    }
}

fn timed<T: ThreadTime>(task: impl Future<Output = ()> + Send + 'static) -> (Timed<T>, Arc<Mutex<Duration>>) {
    let total = Arc::default();
    let timed = Timed { task: Box::pin(task), total: Arc::clone(&total), clock: std::marker::PhantomData };
    (timed, total)
}

/// The three ways around one task, each within the other.
#[test]
fn both_clocks_and_an_account_measure_the_same() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let task = async {
        for _ in 0..20 {
            spend(Duration::from_millis(1));
            yield_now().await;
        }
    };
    let (inner, by_libc) = timed::<LibcTime>(task);
    let (middle, by_threadclock) = timed::<ThreadclockTime>(inner);
    let outer = Accounted::new(middle);
    let account = outer.account().clone();
    runtime.block_on(runtime.spawn(outer)).unwrap();
    let (by_libc, by_threadclock) = (*by_libc.lock().unwrap(), *by_threadclock.lock().unwrap());
    let by_account = account.cpu_time().unwrap();
    at_least(by_libc, Duration::from_millis(20), "the task by libc's clock");
    at_least(by_threadclock, by_libc, "by threadclock, around it");
    at_least(by_account, by_threadclock, "by the account, around both");
    at_most(by_account, by_libc + by_libc / 5, "by the account");
}
