#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gcc's static analyzer, and its warnings. A fault on purpose shows that it looks.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../test/sh/tap.sh"

# Split on purpose: they are lists.
# shellcheck disable=SC2206
readonly flags=($CPPFLAGS -DTCLK_VERSION='"0"' $JNI_FLAGS -std=c11 -O2 -Wall -Wextra -Wconversion -fanalyzer)

analyze() { # files…: prints the findings
  printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" "$GCC" "${flags[@]}" -c -o /dev/null 2>&1 |
    grep -E ': (warning|error): ' | sort -u || true
}

if ! "$GCC" -fanalyzer -x c -c -o /dev/null /dev/null 2>/dev/null; then
  skip 'the analyzer finds nothing' "$GCC has no -fanalyzer"
else
  mapfile -t sources < <(find "$SRC" -name '*.c' | sort)
  at_most "$((-${#sources[@]}))" -50 'the sources are there'
  none "$(analyze "${sources[@]}")" 'the analyzer finds nothing'
  like "$(analyze src/analysis/c/double_free.c)" 'Wanalyzer-double-free' 'a planted fault is found'
fi

done_testing
