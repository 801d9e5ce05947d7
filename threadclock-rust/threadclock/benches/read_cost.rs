// SPDX-License-Identifier: Apache-2.0

//! What a reading costs, beside other ways to read the same clock, and what an account adds to a poll:
//! `cargo bench -p threadclock`. Prints a table in Markdown.
//!
//! The contenders take turns in each round. Printed are the medians, and the median and spread (quartiles) of the ratios
//! to this crate within a round, so that what slows the machine down for a while slows all of them. Times are the kernel's
//! CPU time of this thread: what other programs take of the machine does not count.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

const ROUNDS: usize = 51;
const ROUND_NS: i64 = 2_000_000; // CPU time, of one contender

struct Contender<'a> {
    name: &'static str,
    call: Box<dyn FnMut(u32) + 'a>, // so many calls
    ns: Vec<f64>,                   // of one call, by round
}

fn contender<'a, T: Copy>(name: &'static str, mut call: impl FnMut() -> T + 'a) -> Contender<'a> {
    let calls = move |count| {
        for _ in 0..count {
            use_up(call());
        }
    };
    Contender { name, call: Box::new(calls), ns: Vec::new() }
}

/// The compiler must have the value. (`std::hint::black_box` is newer than Rust 1.63.)
fn use_up<T: Copy>(value: T) {
    // SAFETY: `value` is valid for reads.
    unsafe { std::ptr::read_volatile(&value) };
}

impl Contender<'_> {
    fn measure(&mut self) {
        let (mut calls, mut count) = (0u32, 16u32);
        let start = clock_gettime();
        let spent = loop {
            (self.call)(count);
            calls += count;
            count = (count * 2).min(16_384);
            let spent = clock_gettime() - start;
            if spent >= ROUND_NS {
                break spent;
            }
        };
        self.ns.push(spent as f64 / f64::from(calls));
    }
}

/// The quartiles; the one in the middle is the median.
fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [values.len() / 4, values.len() / 2, values.len() * 3 / 4].map(|at| values[at])
}

fn print(title: &str, ours: usize, mut contenders: Vec<Contender>) {
    for _ in 0..ROUNDS {
        contenders.iter_mut().for_each(Contender::measure);
    }
    println!("| {} | ns | × threadclock | quartiles |\n|---|---:|---:|---:|", title);
    for contender in &contenders {
        let ratios = contender.ns.iter().zip(&contenders[ours].ns).map(|(ns, ours)| ns / ours);
        let [lower, median, upper] = quartiles(ratios.collect());
        let ns = quartiles(contender.ns.clone())[1];
        println!("| {} | {:.1} | {:.2} | {:.2}–{:.2} |", contender.name, ns, median, lower, upper);
    }
    println!();
}

fn clock_gettime() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

fn getrusage() -> libc::rusage {
    // SAFETY: all zero is a rusage, which is valid for writes.
    unsafe {
        let mut usage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    }
}

#[cfg(target_arch = "x86_64")]
fn counter() -> u64 {
    // SAFETY: every x86_64 has it.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn counter() -> std::time::Instant {
    std::time::Instant::now()
}

/// A task that is never done, and of which a poll costs nothing.
struct Idle;

impl Future for Idle {
    type Output = ();
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

/// The same, with libc's clock read before and after each poll.
struct TimedByLibc(Idle, Duration);

impl Future for TimedByLibc {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let start = cpu_time::ThreadTime::now();
        let result = Pin::new(&mut self.0).poll(context);
        self.1 += start.elapsed();
        result
    }
}

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

fn poll<F: Future + Unpin>(waker: &Waker, future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

fn main() {
    print(
        "one reading",
        0,
        vec![
            contender("`threadclock::thread::cpu_time()`", threadclock::thread::cpu_time),
            contender("`threadclock::thread::times()`", threadclock::thread::times),
            contender("`threadclock::thread::waits()`", threadclock::thread::waits),
            contender("the bare counter", counter),
            contender("`cpu_time::ThreadTime::now()`", cpu_time::ThreadTime::now),
            contender("`libc::clock_gettime()`", clock_gettime),
            contender("`libc::getrusage()`, user and system time", getrusage),
        ],
    );
    let waker = Waker::from(Arc::new(Nobody));
    let account = threadclock::Account::new();
    let (mut bare, mut timed) = (Idle, TimedByLibc(Idle, Duration::from_secs(0)));
    let (mut accounted, mut nested) = (account.measure(Idle), account.measure(account.measure(Idle)));
    print(
        "one poll",
        0,
        vec![
            contender("of an `Accounted` future", || poll(&waker, &mut accounted)),
            contender("nested in one of the same account", || poll(&waker, &mut nested)),
            contender("with `cpu_time::ThreadTime` around it", || poll(&waker, &mut timed)),
            contender("of the bare future", || poll(&waker, &mut bare)),
        ],
    );
    println!("source {}, {} rounds", threadclock::source(), ROUNDS);
}
