#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Error Prone on all Java sources, in a copy of them: what a build has compiled is not compiled again.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-errorprone.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1

# The boot loader's classes are compiled with the library's tests.
make -s -C native build/java/compiled >/dev/null || exit 1
find pom.xml mvnw .mvn ./{,*/}*/pom.xml ./{,*/}*/src/*/java* native/build/java/src -type f -print0 | tar --null -T - -c | tar -x -m -C "$scratch"

check() { # arguments of Maven…
  said=$("$scratch/mvnw" -B -ntp -q -f "$scratch/pom.xml" -Perrorprone,bench -Dnative.built test-compile "$@" 2>&1)
}

status=0
check || status=$?
is "$status" 0 'Error Prone finds no error'
((status == 0)) || tap_explain "$said"

printf '%s\n' 'package io.threadclock;' 'final class Planted {' \
  '    private Planted() { new IllegalStateException("not thrown"); }' '}' >"$scratch/library/src/main/java/io/threadclock/Planted.java"
check -pl library -DskipTests
like "$said" 'Planted\.java:.*DeadException' 'and finds one that is planted in the library'
done_testing
