#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The promises of threadclock.hpp, with the library as it is built; cpp.t has all the rest.
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 255
BUILD=${BUILD:-$PWD/build}
# shellcheck source=../src/test/sh/tap.sh
source "$PWD/src/test/sh/tap.sh"

readonly promise='no promise is broken in C++'
if command -v c++ >/dev/null; then
  succeeds 'a program of C++ is built' c++ -std=c++17 -Isrc/main/c/include -o "$scratch/promises" test/promises.cpp "$library" "-Wl,-rpath,$BUILD"
  like "$(timeout 60 "$scratch/promises" 2>&1)" '^0\.[0-9]+\.[0-9]+, (rseq|perf|ids|clock)$' "$promise"
else
  skip "$promise" c++
fi

done_testing
