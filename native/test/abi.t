#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The binary interface is that of the last release: .ci/compare.
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 255
BUILD=${BUILD:-$PWD/build}
# shellcheck source=../src/test/sh/tap.sh
source "$PWD/src/test/sh/tap.sh"

readonly compare=(../.ci/compare abi)
read -ra compiler <<<"${CC:-cc}"

# The library's own objects, but for those that are compiled anew, with the header in `include`.
link() { # library, include, version script, files to compile anew…
  local to=$1 include=$2 script=$3 object name
  local objects=() anew=()
  shift 3
  for name in "$@"; do anew+=("src/main/c/clock/$name.c"); done
  for object in "$BUILD"/lib/kernel/*.o "$BUILD"/lib/clock/*.o "$BUILD"/lib/clock/*/*.o; do
    name=${object##*/}
    [[ " $* " == *" ${name%.o} "* ]] || objects+=("$object")
  done
  # The map names symbols of jvm/, too, which are not linked here.
  "${compiler[@]}" -D_GNU_SOURCE -DTCLK_VERSION='"0"' -I"$include" -Isrc/main/c -std=c11 -g -O1 -fPIC -fvisibility=hidden -fno-lto \
    -shared -Wl,--version-script="$script" -o "$to" "${anew[@]}" "${objects[@]}" -lpthread -ldl
}

compares() { # old, new: the status, and what differs
  local said status=0
  said=$("${compare[@]}" "$@" 2>&1) || status=$?
  printf '%s %s' "$status" "$said"
}

if command -v abidiff >/dev/null; then
  readonly map=src/main/c/threadclock.map
  mkdir -p "$scratch"/{field,grown}/include
  sed '/^struct tclk_times {/ a\    int64_t planted_ns;' src/main/c/include/threadclock.h >"$scratch/field/include/threadclock.h"
  sed '/^struct tclk_config {/,/^};/ s/^};/    int64_t planted_ns;\n};/' src/main/c/include/threadclock.h >"$scratch/grown/include/threadclock.h"
  sed '/^    tclk_tids_read;$/ d' "$map" >"$scratch/gone.map"
  succeeds 'a library to compare with is linked' link "$scratch/base.so" src/main/c "$map" thread_clock
  succeeds 'one with a field more is linked' link "$scratch/field.so" "$scratch/field" "$map" thread_clock
  succeeds 'one whose settings have grown is linked' link "$scratch/grown.so" "$scratch/grown" "$map" thread_clock
  succeeds 'one with a function less is linked' link "$scratch/gone.so" src/main/c "$scratch/gone.map" thread_clock
  is "$(compares "$scratch/base.so" "$scratch/base.so")" '0 ' 'a library has its own interface'
  like "$(compares "$scratch/gone.so" "$scratch/base.so")" '^0 ' 'a function more does no harm'
  like "$(compares "$scratch/base.so" "$scratch/field.so")" '^(4|12) .*struct tclk_times.*planted_ns' 'a field that is put into a struct is found'
  like "$(compares "$scratch/base.so" "$scratch/grown.so")" '^0 ' 'a field at the end of what is passed with its size does no harm'
  like "$(compares "$scratch/base.so" "$scratch/gone.so")" '^12 .*tclk_tids_read' 'a function that is gone is found'
  if said=$(compares) && [[ $said == *'there is no release yet'* ]]; then
    skip 'programs that are linked with the last release can run with this' 'there is no release yet, that is no tag v*'
  else
    like "$said" '^0 .*the ABI has all that v[^ ]+ has\.$' 'programs that are linked with the last release can run with this'
  fi
else
  skip 'a field that is put into a struct is found' 'abidiff (Debian: abigail-tools)'
fi

done_testing
