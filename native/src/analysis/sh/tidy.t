#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# clang-tidy, by /.clang-tidy, and clang's warnings, all but those below. Faults on purpose show that both
# look.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../test/sh/tap.sh"

# Split on purpose: they are lists.
# shellcheck disable=SC2206
readonly flags=($CPPFLAGS -DTCLK_VERSION='"0"' $JNI_FLAGS -std=c11)

# Why these are off:
#   padded                      structs are laid out by hand where it matters, with a static assertion
#   declaration-after-statement is C99
#   atomic-implicit-seq-cst     what an _Atomic word in jvm/ is for
#   bad-function-cast           pointers come from dlsym() and JNI, and go out as numbers
#   cast-qual                   JNINativeMethod has pointers to char
#   conditional-uninitialized   results are untouched on error, and not looked at then
#   switch-enum                 `default` means the rest
readonly warnings=(-Weverything -Wno-padded -Wno-declaration-after-statement -Wno-atomic-implicit-seq-cst
  -Wno-bad-function-cast -Wno-cast-qual -Wno-conditional-uninitialized -Wno-switch-enum)

# The single quotes are for what bash -c expands.
# shellcheck disable=SC2016
tidy() { # files…: prints the findings; one file at a time, or clang-tidy 14 mistakes one va_list for another's
  printf '%s\0' "$@" |
    xargs -0 -n 1 -P "$(nproc)" bash -c '"$CLANG_TIDY" --quiet "${@: -1}" -- "${@:1:$#-1}" 2>&1' tidy "${flags[@]}" |
    grep -E ': (warning|error): |^Error|No such file' | sort -u || true
}

warn() { # files…
  printf '%s\0' "$@" |
    xargs -0 -n 1 -P "$(nproc)" "$CLANG" -fsyntax-only "${flags[@]}" "${warnings[@]}" 2>&1 |
    grep -E ': (warning|error): ' | sort -u || true
}

mapfile -t sources < <(find "$SRC" -name '*.c' | sort)
at_most "$((-${#sources[@]}))" -50 'the sources are there'
none "$(tidy "${sources[@]}")" 'clang-tidy finds nothing'
none "$(warn "${sources[@]}")" 'clang warns of nothing'
like "$(tidy src/analysis/c/swapped_memset.c)" 'bugprone-suspicious-memset-usage' 'a planted fault is found by clang-tidy'
like "$(warn src/analysis/c/assigned_condition.c)" 'Wparentheses' 'another one by clang'

done_testing
