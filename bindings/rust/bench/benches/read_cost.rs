// SPDX-License-Identifier: Apache-2.0

//! What a reading costs, beside other ways to read the same clock, and what an account adds to a poll:
//! `cargo bench -p threadclock-bench`.

use criterion::{criterion_group, criterion_main, Criterion};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use threadclock::{thread, Account};
use threadclock_bench::{clock_gettime, counter, getrusage, Idle, TimedByLibc};

fn readings(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one reading");
    group.bench_function("threadclock::thread::cpu_time()", |bench| bench.iter(thread::cpu_time));
    group.bench_function("threadclock::thread::times()", |bench| bench.iter(thread::times));
    group.bench_function("threadclock::thread::waits()", |bench| bench.iter(thread::waits));
    group.bench_function("the bare counter", |bench| bench.iter(counter));
    group.bench_function("cpu_time::ThreadTime::now()", |bench| bench.iter(cpu_time::ThreadTime::now));
    group.bench_function("libc::clock_gettime()", |bench| bench.iter(clock_gettime));
    group.bench_function("libc::getrusage(), user and system time", |bench| bench.iter(getrusage));
    group.finish();
}

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

fn polls(criterion: &mut Criterion) {
    let waker = Waker::from(Arc::new(Nobody));
    let account = Account::new();
    let mut group = criterion.benchmark_group("one poll");
    let mut bench_polls = |name: &str, future: &mut dyn Unpinned| {
        group.bench_function(name, |bench| bench.iter(|| future.poll_once(&waker)));
    };
    bench_polls("of an Accounted future", &mut account.measure(Idle));
    bench_polls("nested in one of the same account", &mut account.measure(account.measure(Idle)));
    bench_polls("with cpu_time::ThreadTime around it", &mut TimedByLibc(Idle, Duration::from_secs(0)));
    bench_polls("of the bare future", &mut Idle);
    group.finish();
}

/// A future that can be polled again and again.
trait Unpinned {
    fn poll_once(&mut self, waker: &Waker) -> Poll<()>;
}

impl<F: Future<Output = ()> + Unpin> Unpinned for F {
    fn poll_once(&mut self, waker: &Waker) -> Poll<()> {
        Pin::new(self).poll(&mut Context::from_waker(waker))
    }
}

criterion_group!(read_cost, readings, polls);
criterion_main!(read_cost);
