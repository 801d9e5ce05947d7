// SPDX-License-Identifier: Apache-2.0

use std::fmt;
use std::time::Duration;

/// User, system and CPU time of one reading, or between two: `user() + system() == cpu()`.
///
/// It is kept in nanoseconds, which last for 584 years of CPU time.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Times {
    pub(crate) cpu_ns: u64,
    pub(crate) user_ns: u64, // never more than cpu_ns
}

impl Times {
    /// Time on a CPU: user time + system time.
    #[inline]
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns)
    }

    /// The part of the CPU time that was spent in the program.
    #[inline]
    pub fn user(&self) -> Duration {
        Duration::from_nanos(self.user_ns)
    }

    /// The part of the CPU time that the kernel has spent on the program's behalf.
    #[inline]
    pub fn system(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns - self.user_ns)
    }

    /// What has been added since `earlier`. Nothing is less than 0: if `earlier` is the later one, or is of another
    /// thread, the result is 0, or means nothing.
    #[inline]
    #[must_use]
    pub fn since(&self, earlier: Times) -> Times {
        let cpu_ns = self.cpu_ns.saturating_sub(earlier.cpu_ns);
        let user_ns = self.user_ns.saturating_sub(earlier.user_ns).min(cpu_ns);
        Times { cpu_ns, user_ns }
    }

    /// This and `other` together.
    #[inline]
    #[must_use]
    pub(crate) fn plus(&self, other: Times) -> Times {
        Times { cpu_ns: self.cpu_ns + other.cpu_ns, user_ns: self.user_ns + other.user_ns }
    }

    /// The next reading after this one, if the clock says `now`: CPU time and user time do not go back, and the user
    /// time grows by no more than the CPU time.
    pub(crate) fn advanced_to(&self, now: Times) -> Times {
        let cpu_ns = self.cpu_ns.max(now.cpu_ns);
        let most = self.user_ns + (cpu_ns - self.cpu_ns);
        Times { cpu_ns, user_ns: now.user_ns.max(self.user_ns).min(most) }
    }
}

impl fmt::Debug for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Times")
            .field("cpu", &self.cpu())
            .field("user", &self.user())
            .field("system", &self.system())
            .finish()
    }
}

/// Such as `CPU 12.5ms, user 12.1ms, system 400µs`. A precision applies to each: `{:.1}`.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CPU ")?;
        fmt::Debug::fmt(&self.cpu(), f)?;
        f.write_str(", user ")?;
        fmt::Debug::fmt(&self.user(), f)?;
        f.write_str(", system ")?;
        fmt::Debug::fmt(&self.system(), f)
    }
}

/// How the calling thread has waited since it started. `None` is a figure that is not known; it is never told as 0.
///
/// Wall time = CPU time + run delay + the time in which the thread did not want to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Waits {
    /// Time in which the thread was runnable and another one had its CPU, or in which the CPU quota of its control
    /// group was used up. A wait that goes on is added when it ends. `None` on kernels without `CONFIG_SCHED_INFO`,
    /// without `/proc`, and on systems other than Linux on x86_64 and aarch64.
    pub run_delay: Option<Duration>,
    /// How often the thread gave up its CPU itself: it slept, blocked or stopped.
    pub voluntary_switches: Option<u64>,
    /// How often it was switched out while it could have gone on.
    pub involuntary_switches: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(cpu_ns: u64, user_ns: u64) -> Times {
        Times { cpu_ns, user_ns }
    }

    #[test]
    fn a_difference_is_never_below_zero_and_user_time_never_above_cpu_time() {
        assert_eq!(times(10, 7).since(times(4, 3)), times(6, 4));
        assert_eq!(times(4, 3).since(times(10, 7)), times(0, 0));
        assert_eq!(times(10, 9).since(times(8, 0)), times(2, 2));
    }

    #[test]
    fn an_advance_never_goes_back_and_adds_no_more_user_time_than_cpu_time() {
        assert_eq!(times(10, 5).advanced_to(times(9, 6)), times(10, 5));
        assert_eq!(times(10, 5).advanced_to(times(12, 4)), times(12, 5));
        assert_eq!(times(10, 5).advanced_to(times(12, 9)), times(12, 7));
    }

    #[test]
    fn times_are_shown_with_their_units() {
        assert_eq!(times(12_500_000, 12_100_000).to_string(), "CPU 12.5ms, user 12.1ms, system 400µs");
        assert_eq!(format!("{:.0}", times(1_499, 0)), "CPU 1µs, user 0ns, system 1µs");
    }
}
