#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Beside libraries that are preloaded into the program: allocators with thread caches of their own, a time of day that
# somebody sets all the time, and wall clocks that stand still or run at another rate. (No allocator of Debian's uses rseq, real/rseq_user_test
# stands in for those that do.)
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly reader=$BUILD/test/program/reader
readonly READ_MS=250

where_is() { # file name: where the loader finds it
  { ldconfig -p 2>/dev/null || /sbin/ldconfig -p; } | awk -v name="$1" '$1 == name { print $NF; exit }'
}

beside_allocator() { # file name, package, name
  local path source
  path=$(where_is "$1")
  if [[ -z $path ]]; then
    skip "threads read right beside $3" "$1 (Debian's $2)"
    return
  fi
  for source in rseq perf clock; do
    reads_right "$source: threads read right beside $3" env LD_PRELOAD="$path" "$reader" "$source" "$READ_MS"
  done
}

beside_allocator libtcmalloc_minimal.so.4 libtcmalloc-minimal4 tcmalloc
beside_allocator libjemalloc.so.2 libjemalloc2 jemalloc

for source in rseq perf clock; do
  reads_right "$source: threads read right while somebody sets the time of day" \
    env LD_PRELOAD="$BUILD/test/preload/time_of_day.so" "$reader" "$source" "$READ_MS"
  ((status != REFUSED)) || continue
  like "$said" 'time of day 0, other clocks [1-9]' "$source: nothing has asked what time of day it is"
done

for rate in 0 0.1 10; do
  made_up=(timeout -s KILL 60 env MADE_UP_RATE="$rate" LD_PRELOAD="$BUILD/test/preload/made_up_clocks.so")
  succeeds "raw_clock_test passes beside made-up clocks of rate $rate" "${made_up[@]}" \
    "$BUILD/test/plain/real/raw_clock_test"
  succeeds "a JVM with the agent starts and ends beside made-up clocks of rate $rate" "${made_up[@]}" \
    "$JAVA_HOME/bin/java" -agentpath:"$library" -version
done

done_testing
