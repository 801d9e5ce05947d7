#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The memory that the library takes, with the source rseq.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly PROCESS_BYTES=65536
# A record, a word in the directory of tids, and the rest of the pages that these begin. Other programs may take tids in
# between: then the words lie in up to three pages more (259 bytes by itself, 263 while others start all the time).
readonly THREAD_BYTES=336

said=$("$BUILD/test/program/memory" "$library" 2>&1)
value_of() { # word
  printf '%s\n' "$said" | sed -n "s/^$1 //p"
}

refused=$(value_of refused)
if [[ -n $refused ]]; then
  skip 'a process and its threads pay little memory' "$refused"
else
  at_most "$(value_of process)" "$PROCESS_BYTES" "a process pays at most $PROCESS_BYTES bytes"
  # Without them the loader allocates a block for each thread that reads, if it has loaded the library late.
  if readelf -rW "$library" | grep -q TLSDESC; then
    at_most "$(value_of thread)" "$THREAD_BYTES" "each of a thousand threads pays at most $THREAD_BYTES bytes"
  else
    skip "each of a thousand threads pays at most $THREAD_BYTES bytes ($(value_of thread))" \
      'TLS descriptors (-mtls-dialect=gnu2) in this compiler'
  fi
fi

done_testing
