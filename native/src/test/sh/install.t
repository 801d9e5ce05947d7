#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make install, and the example as somebody builds it who has installed the library.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly prefix=$scratch/prefix
readonly staged=$scratch/staged

make_it() { # further variables, and what to make
  "$MAKE" --no-print-directory BUILD="$BUILD" CC="$CC" JAVA_HOME="$JAVA_HOME" "$@"
}

flags() { # what pkg-config says of the installed library
  PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config "$@" threadclock
}

files_below() { # folder: its files but for the documents, and the man pages of single functions
  (cd "$1" && find . -type f ! -path '*/man3/tclk_*' ! -path '*/doc/*' | LC_ALL=C sort | tr '\n' ' ')
}

missing_references() { # installation: the documents that its headers mention, and that it lacks
  grep -ohE 'docs/[a-z/-]+\.md' "$1"/include/* | sort -u | while IFS=/ read -r _ page; do
    [[ -e $1/share/doc/threadclock/$page ]] || printf '%s\n' "$page"
  done
}

readonly installed="./include/threadclock.h ./include/threadclock.hpp ./lib/cmake/threadclock/threadclockConfig.cmake \
./lib/cmake/threadclock/threadclockConfigVersion.cmake ./lib/libthreadclock-preload.so ./lib/libthreadclock.a ./lib/libthreadclock.so.$VERSION \
./lib/pkgconfig/threadclock.pc ./share/man/man3/threadclock.3 "

succeeds 'make install PREFIX=… succeeds' make_it install PREFIX="$prefix" DESTDIR=
is "$(files_below "$prefix")" "$installed" 'it installs the libraries, headers, files for pkg-config and CMake, and the man page'
is "$(readlink "$prefix/lib/libthreadclock.so" "$prefix/lib/libthreadclock.so.0" | tr '\n' ' ')" \
  "libthreadclock.so.0 libthreadclock.so.$VERSION " 'the names by which it is linked with, and loaded, lead to the library'
is "$(stat -L -c %a "$prefix/lib/libthreadclock.so")" 755 'the library can be loaded by everybody'
none "$(readelf -SW "$prefix"/lib/*.so "$prefix/lib/libthreadclock.a" | grep -o '\.debug_.*' || true)" 'no library has debug information in it'
like "$(find "$prefix/share/doc" -type f | wc -l)" '^[1-9][0-9]$' 'the documents are beside them'
none "$(missing_references "$prefix")" 'among them those that the headers refer to'
is "$(grep '^prefix=' "$prefix/lib/pkgconfig/threadclock.pc")" "prefix=$prefix" 'pkg-config learns where that is'

succeeds 'make install DESTDIR=… succeeds' make_it install PREFIX=/opt/threadclock DESTDIR="$staged"
is "$(files_below "$staged/opt/threadclock")" "$installed" 'it installs below DESTDIR'
is "$(grep '^prefix=' "$staged/opt/threadclock/lib/pkgconfig/threadclock.pc")" 'prefix=/opt/threadclock' \
  'and leaves DESTDIR out of what it writes'
touch "$staged/opt/threadclock/lib/other"
make_it uninstall PREFIX=/opt/threadclock DESTDIR="$staged" >/dev/null
is "$(cd "$staged" && find . ! -type d -o -name '*threadclock*' ! -path ./opt/threadclock)" ./opt/threadclock/lib/other \
  'make uninstall removes all of that, and nothing else'

if command -v pkg-config >/dev/null; then
  is "$(flags --modversion)" "$VERSION" 'pkg-config knows its version'
  cflags=$(flags --cflags) libs=$(flags --libs)
else
  skip 'pkg-config knows its version' 'pkg-config'
  cflags=-I$prefix/include libs="-L$prefix/lib -lthreadclock"
fi

# The compiler's name and the flags hold several words.
# shellcheck disable=SC2086
succeeds 'the example builds with what pkg-config says' \
  $CC -std=c11 -Wall -Wextra -Werror -pedantic -o "$scratch/cost" examples/cost.c $cflags $libs -lm
said=$(LD_LIBRARY_PATH=$prefix/lib "$scratch/cost" 2>&1)
readonly ms='([0-9]+)\.[0-9]{3} ms'
like "$said" "^sum 21081[0-9]{6}: user $ms, system $ms, CPU $ms, by (rseq|perf|clock)$" 'it runs, and tells its cost'
if [[ $said =~ CPU\ ([0-9]+)\. ]]; then cpu_ms=${BASH_REMATCH[1]}; else cpu_ms=none; fi
like "$cpu_ms" '^([1-9]|[1-9][0-9]{1,3})$' "ten million roots cost more than 0 ms and less than 10 s ($cpu_ms ms)"
at_most "$(sed -n '/^[^/ *]/p; /^    /p' examples/cost.c | grep -cv '^$')" 35 'it is short'

done_testing
