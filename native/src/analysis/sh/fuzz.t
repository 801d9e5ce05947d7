#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes what reads foreign input: from the corpus on, for FUZZ_SECONDS each. A planted fault, which takes
# a fuzzer that works some thousand inputs, comes first.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../test/sh/tap.sh"

readonly crashes=$BUILD/fuzz/crashes
readonly STILL_S=60 # an input that takes so long takes for ever: beside others, one of some ms may take seconds

fuzz() { # target, options and corpora…
  "$BUILD/fuzz/$1" -artifact_prefix="$crashes/$1-" -print_final_stats=1 "${@:2}" >"$scratch/log" 2>&1
}

mkdir -p -- "$crashes"
rm -f -- "$crashes"/*

status=0
fuzz planted -max_total_time=60 -seed=1 || status=$?
is "$((status != 0))" 1 'a planted fault ends the fuzzer'
like "$(<"$scratch/log")" 'AddressSanitizer: heap-buffer-overflow' 'with the report of AddressSanitizer'
is "$(cat "$crashes"/planted-crash-* 2>/dev/null | head -c 4)" 'tick' 'and the input that shows it'

for entry in $FUZZ_TARGETS; do
  target=${entry%:*}
  mkdir -- "$scratch/$target"
  status=0
  fuzz "$target" -max_total_time="$FUZZ_SECONDS" -max_len="${entry#*:}" -timeout="$STILL_S" \
    "$scratch/$target" "src/fuzz/corpus/$target" || status=$?
  if ((status == 0)); then
    tap_result ok "$target holds its laws for $(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log") inputs"
  else
    tap_result 'not ok' "$target holds its laws for all inputs"
    tap_explain "the input: $(ls -- "$crashes/$target"-* 2>/dev/null); run $BUILD/fuzz/$target with it"
    tap_explain "$(tail -n 40 -- "$scratch/log")"
  fi
  at_most "$((-$(find "src/fuzz/corpus/$target" -type f | wc -l)))" -5 'from a corpus'
done

done_testing
