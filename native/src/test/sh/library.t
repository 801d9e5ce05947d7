#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The file libthreadclock.so: what it exports, and how the loader treats it.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly header=src/main/c/include/threadclock.h

versions() {
  nm -D --defined-only --with-symbol-versions "$library" | awk '$2 == "T" { print $3 }'
}

exports() {
  versions | sed 's/@.*//' | sort
}

declared() {
  sed -n '/^static /d; s/^[a-z].*[ *]\(tclk_[a-z_]*\)(.*/\1/p' "$header" | sort
}

program_header() { # type
  readelf -lW "$library" | awk -v type="$1" '$1 == type'
}

none "$(exports | grep -vE '^(tclk_|Java_|Agent_|JNI_OnLoad$)' || true)" 'it exports nothing but tclk_*, Java_*, Agent_* and JNI_OnLoad'
is "$(exports | grep '^tclk_')" "$(declared)" 'of tclk_* it exports exactly what threadclock.h declares'
like "$(exports)" 'Agent_OnLoad' 'it is a JVM agent'

like "$(dynamic "$library" SONAME)" '\[libthreadclock\.so\.0\]' 'its name has the number of its interface: libthreadclock.so.0'
none "$(versions | grep -vE '^(tclk_[a-z_]*@@THREADCLOCK_0|(Java_.*|Agent_.*|JNI_OnLoad)@@THREADCLOCK_PRIVATE)$' || true)" \
  'each of its functions has a version: THREADCLOCK_0 those of threadclock.h, a private one the others'
is_loaded_for_good "$library"
none "$(dynamic "$library" TEXTREL)" 'its code needs no relocation'
none "$(dynamic "$library" FLAGS | grep -o 'TEXTREL' || true)" 'nor do its flags ask for that'
like "$(program_header GNU_STACK)" ' RW ' 'its stack is not executable'
like "$(program_header GNU_RELRO)" '.' 'its tables are read-only once it is loaded'
none "$(program_header LOAD | grep ' RWE ' || true)" 'none of its segments is writable and executable'
none "$(dynamic "$library" RPATH)$(dynamic "$library" RUNPATH)" 'it looks for libraries nowhere else'
like "$(readelf -nW "$library")" 'Build ID: [0-9a-f]{40}' 'it has a build id'

done_testing
