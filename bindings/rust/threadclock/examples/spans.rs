// SPDX-License-Identifier: Apache-2.0

//! What spans of `tracing` cost: `cargo run --release --features tracing --example spans`

use tracing::info_span;
use tracing_subscriber::prelude::*;

fn work(millions: u32) -> f64 {
    (0..millions * 1_000_000).map(|n| f64::from(n).sqrt()).sum()
}

fn main() {
    let costs = threadclock::tracing::SpanTimes::new(|span, times| println!("{}: {:.1}", span.name(), times));
    tracing_subscriber::registry().with(costs).init();
    info_span!("request").in_scope(|| {
        let parsed = info_span!("parse").in_scope(|| work(2));
        info_span!("wait").in_scope(|| std::thread::sleep(std::time::Duration::from_millis(20)));
        parsed + work(4)
    });
}
