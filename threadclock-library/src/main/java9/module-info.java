// SPDX-License-Identifier: Apache-2.0
/** What the calling thread has cost: CPU, user and system time. */
module io.threadclock {
    exports io.threadclock;
}
