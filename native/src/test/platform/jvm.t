#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A JVM for aarch64, emulated: its unmodified ThreadMXBean with the agent, and the Java library out of the jar.
source "$(dirname -- "${BASH_SOURCE[0]}")/../sh/tap.sh"

readonly agent=$BUILD/native/linux-aarch64/libthreadclock.so
java=$PLATFORM_ARM/usr/lib/jvm/java-17-openjdk-arm64/bin/java

# As it is started for tools: an emulator has no use for a second compiler.
start() { # options…, arguments of Reads…
  out=$("$PLATFORM_QEMU" -L "$PLATFORM_ARM" "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m \
    -Djava.io.tmpdir="$scratch" -cp "$scratch:$PLATFORM_JAR" "$@" 2>&1)
  status=$?
}

value_of() { # name
  sed -n "s/^$1=//p" <<<"$out"
}

answers_right() { # what answers, ms by which its user time may be off
  is "$status $(value_of arch) $(value_of contradictions)" '0 aarch64 0' "$1: no two readings contradict one another"
  like "$(value_of cpuMs)" '^[1-9][0-9]*$' "$1: work costs CPU time"
  at_most "$(value_of cpuMs)" "$(value_of wallMs)" "$1: no more than has passed"
  at_most "$(value_of userMs)" "$(($(value_of cpuMs) + ${2:-0}))" "$1: of which user time is a part"
  at_most "-$(value_of userMs)" "-$(($(value_of cpuMs) / 2))" "$1: and the greater one, of pure work"
}

succeeds 'the program is compiled' "${JAVA_HOME:+$JAVA_HOME/bin/}javac" --release 17 -d "$scratch" -cp "$PLATFORM_JAR" src/test/platform/Reads.java

start Reads
answers_right 'without agent' 20 # it counts in units of 10 ms
start -agentpath:"$agent=stats" Reads
answers_right 'with the agent'
like "$out" 'threadclock: source clock' 'it tells its source, which needs no rseq and no perf events'
like "$out" 'resyncs first [1-9]' 'and that it was the one that was asked'
start Reads library
answers_right 'with the library of the jar'
is "$(value_of source)" 'CLOCK' 'it tells its source'
start -agentpath:"$agent=stats" Reads library
answers_right 'with both'

done_testing
