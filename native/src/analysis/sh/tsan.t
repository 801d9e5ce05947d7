#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A race on purpose: ThreadSanitizer, which finds it, is live in the tests that run beside this one.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../test/sh/tap.sh"

status=0
said=$("$BUILD/test/tsan/planted/race" 2>&1) || status=$?
is "$((status != 0))" 1 'a planted race ends a program under ThreadSanitizer'
like "$said" 'ThreadSanitizer: data race' 'with its report'

done_testing
