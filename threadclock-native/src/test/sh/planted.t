#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults on purpose: a sanitizer that finds them is live in the other tests' builds, and prove fails where
# a test fails.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

run() { # command…: sets status and said
  status=0
  said=$("$@" 2>&1) || status=$?
}

fails() { # sentence
  if ((status != 0)); then tap_result ok "$1"; else tap_result 'not ok' "$1"; fi
}

finds() { # fault, sanitizer, its report
  if [[ " $KINDS " != *' sanitized '* ]]; then
    skip "$2 finds a planted fault" "$2 (no build of that kind: BRIEF=yes, or the compiler lacks its runtime)"
    return
  fi
  run "$BUILD/test/sanitized/planted/$1"
  fails "a planted ${1//_/ } ends a program under $2"
  like "$said" "$3" 'with its report'
}

finds heap_overflow AddressSanitizer 'AddressSanitizer: heap-buffer-overflow'
finds signed_overflow UndefinedBehaviorSanitizer 'runtime error: signed integer overflow'

# Its failure is not the suite's.
run env -u PERL_TEST_HARNESS_DUMP_TAP -u HARNESS_ACTIVE prove "$BUILD/test/plain/planted/not_ok"
fails 'prove fails where one test of two does'
like "$said" 'Failed 1/2 subtests' 'and says which part'
like "$said" 'Result: FAIL' 'and how it all ended'

done_testing
