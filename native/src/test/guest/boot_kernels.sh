#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# boot_kernels.sh ROOT FOLDER KERNEL…: boots each kernel (a file vmlinuz-RELEASE) with ROOT.cpio, all at the same time,
# and leaves what each test program in ROOT/tests said as a program that says it again and ends alike, for prove:
# FOLDER/RELEASE/LIBC/TEST.t. One that did not come to its end fails, and so does FOLDER/RELEASE/boot.t then.
set -euo pipefail

here=$(dirname -- "${BASH_SOURCE[0]}")

boot_release() { # kernel
  local name=${1##*/}
  printf '%s' "${name#vmlinuz-}"
}

# The shell reads a script as it goes: what follows exit is never looked at.
boot_start_tap() { # file, status
  # shellcheck disable=SC2016
  printf '#!/bin/sh\ntail -n +4 -- "$0"\nexit %d\n' "$2" >"$1"
  chmod +x -- "$1"
}

# `== end PROGRAM STATUS MILLISECONDS` says what the status is only after the lines.
boot_split() { # output, folder
  local name status
  sed -n 's,^== begin \(.*\)/.*,\1,p' "$1" | sort -u | while read -r name; do
    mkdir -p -- "$2/$name"
  done
  awk '$1 == "==" && $2 == "end" { print $3, $4 }' "$1" | while read -r name status; do
    boot_start_tap "$2/$name.t" "$status"
  done
  awk -v folder="$2" '
    /^== begin / { file = folder "/" $3 ".t"; next }
    /^== end / { close(file); file = ""; next }
    file != "" && NF { print >>file }' "$1"
}

# One that was begun and not ended has its lines, but is no program yet.
boot_complete() { # folder
  local file lines
  find "$1" -mindepth 2 -name '*.t' ! -perm -u=x | while IFS= read -r file; do
    lines=$(<"$file")
    boot_start_tap "$file" 1
    printf '%s\nnot ok - the kernel runs this to its end\n' "$lines" >>"$file"
  done
}

# The first test of each kernel. It fails until it is known that it does not.
boot_tell() { # folder, status
  boot_start_tap "$1/boot.t" "$2"
  { (($2 == 0)) || printf 'not '
    printf 'ok 1 - the kernel boots and runs all test programs\n'
    sed 's/^/# /' "$1/error"
    printf '1..1\n'; } >>"$1/boot.t"
}

# Prints the archive to boot: with the libc that lies beside the kernel, if one does, because what a second archive has
# replaces what the first one has.
boot_archive() { # root, folder, kernel
  local library
  [[ -e ${3%/*}/libc.so.6 ]] || { printf '%s' "$1.cpio" && return; }
  (cd -- "$1" && find . -name '*.so.*') | while IFS= read -r library; do
    [[ ! -e ${3%/*}/${library##*/} ]] || install -D -- "${3%/*}/${library##*/}" "$2/libc/$library"
  done
  (cd -- "$2/libc" && find . | cpio --quiet -o -H newc) | cat -- "$1.cpio" - >"$2/root.cpio"
  printf '%s' "$2/root.cpio"
}

boot_one() { # root, folder, kernel
  local status=0 archive
  : >"$2/error"
  boot_tell "$2" 1
  archive=$(boot_archive "$@")
  bash "$here/boot_kernel.sh" "$3" "$archive" "$2" "$khz" 2>"$2/error" || status=$?
  boot_split "$2/output" "$2"
  boot_complete "$2"
  boot_tell "$2" "$status"
}

# The state of each.
boot_watch() { # folder
  local now last=''
  while [[ -n $(jobs -rp) ]]; do
    now=$(cd -- "$1" && for release in *; do
      printf '%s: %s  ' "${release%%-*}" "$(sed -n 's/^== begin //p' "$release/output" 2>/dev/null | tail -n 1)"
    done)
    [[ $now == "$last" ]] || printf '%s\n' "$now"
    last=$now
    sleep 1
  done
}

main() { # root, folder, kernels…
  local root=$1 folder=$2 kernel khz=''
  shift 2
  [[ ! -x ${root%/*}/counter_khz ]] || khz=$("${root%/*}/counter_khz")
  for kernel in "$@"; do
    mkdir -p -- "$folder/$(boot_release "$kernel")"
    boot_one "$root" "$folder/$(boot_release "$kernel")" "$kernel" &
  done
  boot_watch "$folder"
  wait
}

main "$@"
