#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A debugger stops a process that reads, again and again, and lets it go on: in whatever its threads were
# about, without being told by a signal of their own.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly reader=$BUILD/test/program/reader
readonly STOPS=30
readonly READ_MS=600000 # at most: it is ended before

# At a breakpoint all threads are stopped, wherever they are.
stop_and_continue() { # pid
  timeout 600 gdb --batch --nx -iex 'set auto-load no' -iex 'set debuginfod enabled off' -p "$1" \
    -ex 'break read_once' -ex "ignore 1 $STOPS" -ex continue -ex 'info threads' -ex delete -ex detach
}

reads_on() { # source
  local source=$1 pid status=0
  "$reader" "$source" "$READ_MS" >"$scratch/said" 2>&1 &
  pid=$!
  stop_and_continue "$pid" >"$scratch/gdb" 2>&1 || true
  kill -TERM "$pid" 2>/dev/null
  wait "$pid" || status=$?
  if ((status == REFUSED)); then
    skip "$source: a process that gdb stops reads on" "$(<"$scratch/said")"
  elif grep -q 'ptrace: Operation not permitted' "$scratch/gdb"; then
    skip "$source: a process that gdb stops reads on" "the right to attach gdb"
  else
    is "$status" 0 "$source: a process that gdb stops reads on"
    ((status == 0)) || tap_explain "$(<"$scratch/said")"
    like "$(<"$scratch/gdb")" 'hit Breakpoint 1, .*\[Inferior 1 .* detached\]' "$source: gdb stopped it $STOPS times, and let it go"
  fi
}

if command -v gdb >/dev/null; then
  for source in rseq perf; do
    reads_on "$source"
  done
else
  skip 'a process that gdb stops reads on' 'gdb'
fi

done_testing
