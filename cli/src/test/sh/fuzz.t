#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes what the command line reads of others: each @FuzzTest, from its seeds on, for JAVA_FUZZ_SECONDS (1), as many at once
# as there are CPUs. A planted fault has to be found. Takes the test classes, which Maven has compiled (process-test-classes).
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.."
source ../launcher/test/tap.sh

readonly seconds=${JAVA_FUZZ_SECONDS:-1} planted_seconds=60 longest_bytes=4096
readonly still_seconds=60 # an input that takes so long takes for ever: beside others, one of some ms may take seconds
readonly fuzz=$PWD/target/fuzz
class_path=$PWD/target/test-classes:$PWD/target/classes:$(<target/test.classpath)

fuzz() { # class.method: in a folder of its own, where the log, the corpus and the input that breaks a law are
  local name=$1 class=${1%.*} method=${1##*.} limit=$seconds status=0
  local seeds=$PWD/src/test/resources/${class//./\/}Inputs/$method
  [[ $class != *.PlantedFuzzTest ]] || limit=$planted_seconds
  mkdir -p -- "$fuzz/$name/corpus"
  cd -- "$fuzz/$name"
  rm -f -- crash-* timeout-*
  [[ -d $seeds ]] || seeds=
  java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$class_path" com.code_intelligence.jazzer.Jazzer \
    --target_class="$class" --target_method="$method" --hooks=true --instrumentation_includes='io.threadclock.**' \
    -max_total_time="$limit" -max_len="$longest_bytes" -timeout="$still_seconds" -print_final_stats=1 \
    corpus ${seeds:+"$seeds"} >log 2>&1 || status=$?
  printf '%s\n' "$status" >status
}

names() { # of all fuzz tests
  local file class
  for file in $(find src/test/java -name '*FuzzTest.java' | LC_ALL=C sort); do
    class=${file#src/test/java/} class=${class%.java}
    sed -n '/@FuzzTest$/{n;s/^ *void \([a-zA-Z]*\)(.*/\1/p}' "$file" | sed "s|^|${class//\//.}.|"
  done
}

export -f fuzz
export class_path fuzz seconds planted_seconds still_seconds longest_bytes
names | xargs -P "$(nproc)" -I '{}' bash -euc 'fuzz {}'

for name in $(names); do
  log=$fuzz/$name/log status=$(<"$fuzz/$name/status")
  if [[ $name == *.PlantedFuzzTest.* ]]; then
    is "$((status != 0))" 1 'a planted fault ends the fuzzer'
    is "$(cat -- "$fuzz/$name"/crash-* 2>/dev/null | head -c 4)" tick 'and the input that shows it is kept'
  elif ((status == 0)); then
    tap_result ok "$name holds its laws for $(sed -n '/^stat::number_of_executed_units: */{s///p;q}' "$log") inputs"
  else
    tap_result 'not ok' "$name holds its laws for all inputs"
    tap_explain "the input: $(ls -- "$fuzz/$name"/crash-* "$fuzz/$name"/timeout-* 2>/dev/null)"
    tap_explain "$(grep -A 20 '^== Java Exception' "$log" || tail -n 40 -- "$log")"
  fi
done
done_testing
