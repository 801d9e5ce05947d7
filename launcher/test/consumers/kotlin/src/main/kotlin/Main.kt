// SPDX-License-Identifier: Apache-2.0
import io.threadclock.CpuStopwatch
import io.threadclock.ThreadClock

/** Measures itself. */
fun main() {
    val watch = CpuStopwatch()
    val sum = watch.start().use { (1..1_000_000).sumOf { Math.sqrt(it.toDouble()) } }
    println("${ThreadClock.isSupported()} ${watch.cpuTimeNs() > 0 && sum > 0}")
}
