// SPDX-License-Identifier: Apache-2.0

//! What spans of `tracing` have cost.

mod common;

use common::{at_least, at_most, kernels_of_thread, spend};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use threadclock::tracing::SpanTimes;
use tracing::info_span;
use tracing_subscriber::prelude::*;

const MS: Duration = Duration::from_millis(1);

/// What spans have cost that closed while this ran, by name; and what the kernel says that all of it has cost here.
fn costs(run: impl FnOnce()) -> (HashMap<&'static str, Duration>, Duration) {
    let costs = Arc::new(Mutex::new(HashMap::new()));
    let told = Arc::clone(&costs);
    let layer = SpanTimes::new(move |span, times| {
        told.lock().unwrap().insert(span.name(), times.cpu());
    });
    let before = kernels_of_thread();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), run);
    let around = kernels_of_thread() - before;
    let costs = costs.lock().unwrap().clone();
    (costs, around)
}

#[test]
fn a_span_has_the_cost_of_what_runs_in_it_and_of_its_children() {
    let (costs, around) = costs(|| {
        info_span!("outer").in_scope(|| {
            spend(10 * MS);
            info_span!("inner").in_scope(|| spend(20 * MS));
        });
        spend(10 * MS);
    });
    at_least(costs["inner"], 20 * MS, "inner");
    at_least(costs["outer"], costs["inner"] + 10 * MS, "outer");
    at_most(costs["outer"], around - 10 * MS, "outer");
}

#[test]
fn a_span_adds_up_over_its_enters_on_all_threads() {
    let (costs, _) = costs(|| {
        let span = info_span!("span");
        span.in_scope(|| spend(10 * MS));
        tracing::dispatcher::get_default(|dispatch| {
            let (dispatch, span) = (dispatch.clone(), span.clone());
            let enter = move || tracing::dispatcher::with_default(&dispatch, || span.in_scope(|| spend(10 * MS)));
            std::thread::spawn(enter).join().unwrap();
        });
    });
    at_least(costs["span"], 20 * MS, "the span");
}

#[test]
fn a_span_that_is_entered_again_counts_once() {
    let (costs, around) = costs(|| {
        let span = info_span!("span");
        span.in_scope(|| span.in_scope(|| spend(40 * MS)));
    });
    at_least(costs["span"], 40 * MS, "the span");
    at_most(costs["span"], around, "the span");
}

#[test]
fn two_layers_of_one_subscriber_read_one_sum() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let layer = || {
        let told = Arc::clone(&told);
        SpanTimes::new(move |_, times| told.lock().unwrap().push(times.cpu()))
    };
    let before = kernels_of_thread();
    let subscriber = tracing_subscriber::registry().with(vec![layer(), layer()]);
    tracing::subscriber::with_default(subscriber, || info_span!("span").in_scope(|| spend(20 * MS)));
    let around = kernels_of_thread() - before;
    let told = told.lock().unwrap();
    assert!(told.len() == 2 && told[0] == told[1], "{:?}", told);
    at_least(told[0], 20 * MS, "the span");
    at_most(told[0], around, "the span");
}

#[test]
fn two_layers_do_not_mistake_spans_of_the_same_id_for_each_other() {
    let mut within = HashMap::new();
    let (costs, _) = costs(|| {
        info_span!("outer").in_scope(|| {
            within = self::costs(|| {
                info_span!("other").in_scope(|| {
                    spend(20 * MS);
                })
            })
            .0
        })
    });
    at_least(within["other"], 20 * MS, "the span of the inner subscriber");
    at_least(costs["outer"], 20 * MS, "the span of the outer subscriber");
}
