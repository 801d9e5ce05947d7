#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Loaded late, into a process whose other libraries have taken all static TLS that the loader keeps in
# reserve: a library of the initial-exec kind could not be loaded there any more.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

eater() { # bytes, name: compiles one
  # Split on purpose: CC may hold options.
  # shellcheck disable=SC2086
  $CC -shared -fPIC -DBYTES="$1" -o "$scratch/$2.so" src/test/c/preload/tls_eater.c
}

# The reserve of glibc is some KiB: halves of halves, twice each, take all but less than the smallest.
eaters=()
for bytes in 4096 2048 1024 512 256 128 64 32 16 8; do
  for copy in 1 2; do
    eater "$bytes" "eater-$bytes-$copy" && eaters+=("$scratch/eater-$bytes-$copy.so")
  done
done
eater 8 probe
like "${#eaters[@]}" '^20$' 'there are eaters of all sizes'

readonly sentence='it is loaded where no static TLS is left, and read from by threads old and new'
said=$("$BUILD/test/program/late_load" "$library" "$scratch/probe.so" "${eaters[@]}" 2>&1)
status=$?
if [[ $said == *'# SKIP '* ]]; then
  skip "$sentence" "${said#*# SKIP }"
else
  is "$status" 0 "$sentence"
  ((status == 0)) || tap_explain "$said"
fi

done_testing
