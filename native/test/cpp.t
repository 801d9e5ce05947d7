#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The installed library as programs of C and C++ find it: by pkg-config and CMake, below DESTDIR and moved elsewhere, with
# its man page.
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 255
BUILD=${BUILD:-$PWD/build}
# shellcheck source=../src/test/sh/tap.sh
source "$PWD/src/test/sh/tap.sh"

readonly staged=$scratch/staged prefix=/opt/threadclock
readonly map=src/main/c/threadclock.map
read -ra compiler <<<"${CC:-cc}"
# Where CMake looks, too.
multiarch=$("${compiler[@]}" -print-multiarch 2>/dev/null) || multiarch=
readonly libdir=$prefix/lib${multiarch:+/$multiarch}

make_install() {
  env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" --no-print-directory CC="${compiler[*]}" PREFIX=$prefix LIBDIR="$libdir" \
    DESTDIR="$staged" install
}

flags() { # below DESTDIR, where pkg-config takes it for the root of another machine
  PKG_CONFIG_SYSROOT_DIR=$staged PKG_CONFIG_LIBDIR=$staged$libdir/pkgconfig pkg-config "$@" threadclock
}

build() { # flags…: the compiler's name and the flags hold several words
  # shellcheck disable=SC2046
  "$@" -Wall -Wextra -Wpedantic -Werror $(flags --cflags --libs)
}

says_promises() { # program: what it prints if it breaks none
  LD_LIBRARY_PATH=$staged$libdir "$1" 2>&1
}

readonly kept='^0\.[0-9]+\.[0-9]+, (rseq|perf|ids|clock)$'

succeeds 'make install with LIBDIR below DESTDIR succeeds' make_install
if command -v pkg-config >/dev/null; then
  succeeds 'a program of C builds with what pkg-config says' build "${compiler[@]}" -std=c11 -o "$scratch/c" test/promises.c
  like "$(says_promises "$scratch/c")" "$kept" 'it sees no promise broken, nor does its fork child'
  documented c docs/other-languages.md >"$scratch/example.c"
  succeeds 'the lines of C in other-languages.md are built' build "${compiler[@]}" -std=c11 -o "$scratch/example" "$scratch/example.c"
  like "$(says_promises "$scratch/example")" '^CPU [1-9][0-9]* ns$' 'and run'
else
  skip 'a program of C builds with what pkg-config says' pkg-config
fi

for name in g++ clang++; do
  if command -v "$name" >/dev/null && command -v pkg-config >/dev/null; then
    succeeds "threadclock.hpp is C++17 without a warning of $name" build "$name" -std=c++17 -Wconversion -Wshadow \
      -o "$scratch/$name" test/promises.cpp
    like "$(says_promises "$scratch/$name")" "$kept" "what $name makes of it keeps its promises"
    documented cpp docs/other-languages.md >"$scratch/example.cpp"
    succeeds "the lines of C++ in other-languages.md are built by $name" build "$name" -std=c++17 -o "$scratch/example" "$scratch/example.cpp"
    like "$(says_promises "$scratch/example")" '^CPU [1-9][0-9]* ns$' 'and run'
  else
    skip "threadclock.hpp is C++17 without a warning of $name" "$name and pkg-config"
  fi
done

# Moved: nothing that CMake's files say may name the place that it was installed in.
mv -- "$staged" "$scratch/moved"
readonly moved=$scratch/moved$prefix
use_cmake() {
  cmake -S test -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$moved" && cmake --build "$scratch/cmake"
}
found_by_cmake() { # version
  cat >"$scratch/find.cmake" <<END
find_package(threadclock $1 CONFIG QUIET)
message(NOTICE "considered \${threadclock_CONSIDERED_CONFIGS}, found '\${threadclock_CONFIG}'")
END
  cmake -Dthreadclock_DIR="$scratch/moved$libdir/cmake/threadclock" -P "$scratch/find.cmake" 2>&1
}
if command -v cmake >/dev/null && command -v c++ >/dev/null; then
  succeeds 'CMake finds and links the library, shared and static, wherever it was moved' use_cmake
  like "$("$scratch/cmake/promises-threadclock" 2>&1)" "$kept" 'a program of C++ that is linked with it keeps its promises'
  like "$("$scratch/cmake/promises-static" 2>&1)" "$kept" 'so does one that contains it'
  none "$(readelf -dW "$scratch/cmake/promises-static" | grep threadclock || true)" 'which then needs no libthreadclock.so'
  like "$(found_by_cmake 99)" "considered [^ ]+threadclockConfig.cmake, found ''$" 'CMake does not take it for a later version'
else
  skip 'CMake finds and links the library, shared and static, wherever it was moved' 'cmake and c++'
fi

# ---- the man page ----

readonly manual=$moved/share/man/man3
public() {
  sed -n '/^THREADCLOCK_[0-9]/,/^}/ s/^ *\(tclk_[a-z_]*\);$/\1/p' "$map"
}
sections() {
  sed -n 's/^\.SS \(tclk_[a-z_]*\)()$/\1/p' "$manual/threadclock.3"
}
aliases() {
  (cd -- "$manual" && grep -lx '\.so man3/threadclock\.3' -- *.3 | sed 's/\.3$//')
}
like "$(public | wc -l)" '^[1-9][0-9]$' 'there are public functions'
none "$(comm -23 <(public | sort) <(sections | sort))" 'the man page has a section on each public function'
is "$(aliases | sort)" "$(sections | sort)" 'each section is found by the name of its function'
none "$(comm -23 <(sections | sort) <(grep -oE 'tclk_[a-z_]+' src/main/c/include/threadclock.h | sort -u))" 'it has no other sections'
if command -v groff >/dev/null; then
  none "$(groff -man -ww -z -Tascii "$manual/threadclock.3" 2>&1)" 'groff has nothing to say of it'
else
  skip 'groff has nothing to say of it' groff
fi

done_testing
