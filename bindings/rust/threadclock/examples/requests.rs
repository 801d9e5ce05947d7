// SPDX-License-Identifier: Apache-2.0

//! This prints what three requests cost that compute, sleep, and move between the workers of a tokio runtime:
//! `cargo run --release --example requests`

use std::time::Duration;
use threadclock::Account;

async fn request(rounds: u32) -> f64 {
    let mut sum = 0.0;
    for round in 0..rounds {
        sum += (0..500_000 * round).map(|n| f64::from(n).sqrt()).sum::<f64>();
        tokio::time::sleep(Duration::from_millis(1)).await; // costs no CPU time
    }
    sum
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build()?;
    let all = Account::new();
    let requests: Vec<_> = [2, 4, 8]
        .iter()
        .map(|&rounds| {
            let account = Account::new();
            let measured = all.measure(account.measure(request(rounds)));
            (rounds, account, runtime.spawn(measured))
        })
        .collect();
    for (rounds, account, task) in requests {
        runtime.block_on(task)?;
        println!("{} rounds: {:.1}", rounds, account.times()?);
    }
    println!("all requests: {:.1}, by {}", all.times()?, threadclock::source());
    Ok(())
}
