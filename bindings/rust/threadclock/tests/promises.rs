// SPDX-License-Identifier: Apache-2.0

//! What a reading promises, in every thread and after a fork.

mod common;

use common::{at_least, at_most, in_child, kernels_of_thread, spend, work};
use std::time::Duration;
use threadclock::{thread, Error, Stopwatch, Times};

const READINGS: u32 = 20_000;

/// The first law that two readings of one thread break.
fn broken_law(before: Times, after: Times) -> Option<&'static str> {
    if after.user() + after.system() != after.cpu() {
        Some("user + system = CPU")
    } else if after.cpu() < before.cpu() {
        Some("CPU time never goes back")
    } else if threadclock::source() == "clock_gettime" {
        None // the system's own division is passed on
    } else if after.user() < before.user() {
        Some("user time never goes back")
    } else if after.user() - before.user() > after.cpu() - before.cpu() {
        Some("user time grows by no more than CPU time")
    } else {
        None
    }
}

/// Reads again and again between work in the program, in the kernel, and outside of the CPU. Allocates nothing.
fn break_law(readings: u32) -> Option<&'static str> {
    let mut before = thread::times().ok()?;
    for n in 0..readings {
        match n % 512 {
            0 => std::thread::yield_now(),
            1 => std::thread::sleep(Duration::from_micros(1)),
            _ => work(n % 512),
        }
        let after = thread::times().ok()?;
        if let Some(law) = broken_law(before, after) {
            return Some(law);
        }
        if thread::cpu_time() < after.cpu() {
            return Some("cpu_time() goes on from times()");
        }
        before = after;
    }
    None
}

#[test]
fn no_law_is_broken_in_several_threads_at_once() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| break_law(READINGS))).collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), None);
    }
}

#[test]
fn no_law_is_broken_in_a_child_whose_times_begin_at_zero() {
    spend(Duration::from_millis(50));
    let parents = thread::cpu_time();
    assert!(in_child(|| thread::cpu_time() < parents && break_law(READINGS / 4).is_none()));
}

#[test]
fn a_reading_is_the_kernels_cpu_time() {
    spend(Duration::from_millis(20));
    for _ in 0..200 {
        let before = kernels_of_thread();
        let reading = thread::cpu_time();
        let after = kernels_of_thread();
        at_least(reading, before, "a reading after the kernel's");
        at_most(reading, after, "a reading before the kernel's");
    }
}

#[test]
fn a_new_thread_begins_at_zero() {
    spend(Duration::from_millis(20));
    let begin = std::thread::spawn(thread::cpu_time).join().unwrap();
    at_most(begin, Duration::from_millis(1), "the first reading of a thread");
}

#[test]
fn a_stopwatch_tells_what_its_thread_has_used_and_nothing_else() {
    let before = kernels_of_thread();
    let watch = Stopwatch::start();
    let spent = spend(Duration::from_millis(20));
    std::thread::spawn(|| spend(Duration::from_millis(40))).join().unwrap();
    let elapsed = watch.elapsed().unwrap();
    let around = kernels_of_thread() - before;
    at_least(elapsed.cpu(), spent, "a stopwatch around work");
    at_most(elapsed.cpu(), around, "a stopwatch within two readings of the kernel");
    assert!(watch.elapsed().unwrap().cpu() >= elapsed.cpu(), "it runs on");
}

#[test]
fn a_stopwatch_of_the_parent_is_an_error_in_the_child() {
    let watch = Stopwatch::start();
    assert!(in_child(|| watch.elapsed() == Err(Error::Forked) && Stopwatch::start().elapsed().is_ok()));
    assert!(watch.elapsed().is_ok());
}

#[test]
fn waits_count_the_times_that_the_thread_has_slept() {
    let before = thread::waits().voluntary_switches;
    for _ in 0..10 {
        std::thread::sleep(Duration::from_micros(100));
    }
    let after = thread::waits().voluntary_switches;
    match (before, after) {
        (Some(before), Some(after)) => assert!(after >= before + 10, "{} to {}", before, after),
        _ => {
            assert!(threadclock::source() == "clock_gettime", "switches are not known: {}", threadclock::explanation())
        }
    }
}

#[test]
fn the_source_is_explained() {
    assert!(threadclock::explanation().contains(threadclock::source()), "{}", threadclock::explanation());
}
