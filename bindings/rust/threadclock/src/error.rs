// SPDX-License-Identifier: Apache-2.0

use std::fmt;

/// Why there is no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// This system has no such clock of threads that the crate knows.
    Unsupported,
    /// The reading was refused, with this `errno`: `EINVAL` where the kernel has no clock of threads, `EEXIST` where a
    /// copy of the library of another version is the clock of the process, and this one cannot ask it.
    Refused(i32),
    /// The process is a `fork` of the one in which the stopwatch was started; its threads' clocks began anew.
    Forked,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported => {
                f.write_str("this system has no such clock of threads. Use Linux on x86_64 or aarch64.")
            }
            Error::Refused(errno) => write!(
                f,
                "reading the clock of the thread was refused: {}. threadclock::explanation() says more.",
                std::io::Error::from_raw_os_error(*errno)
            ),
            Error::Forked => {
                f.write_str("the stopwatch was started before a fork of this process. Start one in the child.")
            }
        }
    }
}

impl std::error::Error for Error {}
