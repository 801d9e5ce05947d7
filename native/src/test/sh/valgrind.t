#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Valgrind finds nothing: no bad access, no jump on what was never written, no memory lost. There is no rseq
# under Valgrind, and time passes in a way of its own there: readings are tried for their order alone.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly reader=$BUILD/test/program/reader
readonly FOUND=99
readonly READ_MS=200

if ! command -v valgrind >/dev/null; then
  skip 'Valgrind finds nothing' 'valgrind'
elif ! said=$(valgrind --quiet true 2>&1); then
  skip 'Valgrind finds nothing' "a valgrind that can run a program (it says: ${said//$'\n'/ })"
else
  for source in auto clock; do
    reads_right "Valgrind finds nothing with the source $source" \
      valgrind --quiet --fair-sched=yes --error-exitcode="$FOUND" --leak-check=full \
      --errors-for-leak-kinds=definite,possible "$reader" "$source" "$READ_MS" order
  done
fi

done_testing
