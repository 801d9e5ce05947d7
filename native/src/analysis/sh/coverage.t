#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How many lines of kernel/ and clock/ the C tests run, on the fake kernel and on this machine's; and of
# those parts of jvm/ that they reach without a JVM. Whether the tests pass is not asked here.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../test/sh/tap.sh"

readonly built=$BUILD/coverage

# A test that is ended has no counts, so a busy machine has its time.
readonly PATIENCE_S=600

find "$built" -name '*.gcda' -delete
for test in "$built"/test/plain/{fake,real}/*_test; do
  timeout "$PATIENCE_S" "$test" >>"$scratch/log" 2>&1 || true
done

# A file that no test has run has notes, and no counts.
counted() { # prints gcov's text of every object of the library
  find "$built/lib/kernel" "$built/lib/clock" "$built/test/plain/fake-core" -name '*.gcno' -print0 |
    xargs -0 "$GCOV" --stdout 2>/dev/null
  find "$built/lib/jvm" -name '*.gcda' -print0 | xargs -0 "$GCOV" --stdout 2>/dev/null
}

counted | awk -F: -v parts='kernel clock jvm' -f src/analysis/coverage.awk >"$built/table"
total=$(sed -n 's/^coverage of the C core: \([0-9.]*\) .*/\1/p' "$built/table")
sed 's/^/# /' "$built/table"
like "$total" '^[0-9]+\.[0-9]$' 'there are counts'
at_most "$(awk -v total="$total" -v min="$COVERAGE_MIN" 'BEGIN { print (total < min) }')" 0 \
  "the tests run $COVERAGE_MIN % of the lines of the C core"

done_testing
