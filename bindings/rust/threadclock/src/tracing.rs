// SPDX-License-Identifier: Apache-2.0

//! A layer of `tracing-subscriber` that tells what each span has cost. It needs the feature `tracing`.

use crate::{Stopwatch, Times};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing_core::span::{Attributes, Id};
use tracing_core::Subscriber;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::{LookupSpan, SpanRef};
use tracing_subscriber::Layer;

/// Adds up the CPU time of each span over its enters, on all threads, and hands it out when the span closes.
///
/// A span contains what its children cost that are entered inside of it, as its wall time would. A thread that enters a
/// span that it is in counts once. An enter that has no exit in the same thread does not count. Nothing counts where
/// [`thread::times`](crate::thread::times) is an error, nor what a child of `fork` has used of an enter before it.
///
/// Layers of one subscriber have one sum for each span.
///
/// Cost: two readings of the clock each enter and exit, and tracing's own locks of the span's extensions.
///
/// ```
/// use tracing_subscriber::prelude::*;
/// let times = threadclock::tracing::SpanTimes::new(|span, times| println!("{}: {}", span.name(), times));
/// let subscriber = tracing_subscriber::registry().with(times);
/// tracing::subscriber::with_default(subscriber, || tracing::info_span!("request").in_scope(|| { /* … */ }));
/// ```
pub struct SpanTimes<F> {
    number: usize, // of this layer: another one may be in a span of the same id
    on_close: F,
}

/// What a span has cost up to its last exit. It lies in the extensions of the span, where other layers may read it:
/// `span.extensions().get::<SpanCost>()`.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SpanCost {
    /// The sum of all enters that have been exited.
    pub times: Times,
    layer: usize, // the only one that adds to it: a second one would count each enter twice
}

thread_local! {
    /// The spans that this thread is in: the outermost first.
    static ENTERED: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

struct Entered {
    layer: usize,
    span: Id,
    watch: Option<Stopwatch>, // none if the span is entered again
}

impl<F> SpanTimes<F> {
    /// Calls `on_close` with each span that closes, and what it has cost.
    pub fn new<S>(on_close: F) -> SpanTimes<F>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
        F: Fn(&SpanRef<'_, S>, Times) + 'static,
    {
        static LAYERS: AtomicUsize = AtomicUsize::new(0);
        SpanTimes { number: LAYERS.fetch_add(1, Ordering::Relaxed), on_close }
    }

    fn is_of(&self, entered: &Entered, span: &Id) -> bool {
        entered.layer == self.number && entered.span == *span
    }
}

impl<S, F> Layer<S> for SpanTimes<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    F: Fn(&SpanRef<'_, S>, Times) + 'static,
{
    fn on_new_span(&self, _: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut extensions = span.extensions_mut();
            if extensions.get_mut::<SpanCost>().is_none() {
                extensions.insert(SpanCost { times: Times::default(), layer: self.number });
            }
        }
    }

    fn on_enter(&self, id: &Id, _: Context<'_, S>) {
        let _ = ENTERED.try_with(|all| {
            let mut all = all.borrow_mut();
            let is_inner = all.iter().any(|entered| self.is_of(entered, id));
            let watch = (!is_inner).then(Stopwatch::start);
            all.push(Entered { layer: self.number, span: id.clone(), watch });
        });
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let watch = ENTERED.try_with(|all| {
            let mut all = all.borrow_mut();
            let last = all.iter().rposition(|entered| self.is_of(entered, id))?;
            all.remove(last).watch
        });
        let cost = watch.ok().flatten().and_then(|watch| watch.elapsed().ok());
        if let (Some(cost), Some(span)) = (cost, context.span(id)) {
            let mut extensions = span.extensions_mut();
            if let Some(sum) = extensions.get_mut::<SpanCost>().filter(|sum| sum.layer == self.number) {
                sum.times = sum.times.plus(cost);
            }
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        if let Some(span) = context.span(&id) {
            let cost = span.extensions().get::<SpanCost>().copied();
            (self.on_close)(&span, cost.unwrap_or_default().times);
        }
    }
}
