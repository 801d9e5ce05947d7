#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A fault on purpose: a sanitizer that finds it is live in the other tests' builds.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

if [[ " $KINDS " == *' sanitized '* ]]; then
  status=0
  said=$("$BUILD/test/sanitized/planted/heap_overflow" 2>&1) || status=$?
  is "$((status != 0))" 1 'a planted heap overflow ends a program under the sanitizers'
  like "$said" 'AddressSanitizer: heap-buffer-overflow' 'with its report'
else
  skip 'the sanitizers find a planted fault' 'sanitizers (the compiler lacks their runtime)'
fi

done_testing
