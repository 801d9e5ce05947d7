#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples for Go and Node, built and run as docs/go-and-node.md says.
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 255
BUILD=${BUILD:-$PWD/build}
# shellcheck source=../src/test/sh/tap.sh
source "$PWD/src/test/sh/tap.sh"

readonly prefix=$scratch/prefix
read -ra compiler <<<"${CC:-cc}"
export GOTOOLCHAIN=local GOPROXY=off # nothing is fetched
export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig

make_install() {
  env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" --no-print-directory CC="${compiler[*]}" PREFIX="$prefix" DESTDIR= install
}

run() { # command…
  LD_LIBRARY_PATH=$prefix/lib "$@" 2>&1
}

# In CPU time, which other programs do not add to.
is_cheaper() { # output, contender, than, sentence
  local ns than
  ns=$(sed -nE "s/^$2 +([0-9.]+) ns.*/\1/p" <<<"$1")
  than=$(sed -nE "s/^$3 +([0-9.]+) ns.*/\1/p" <<<"$1")
  is "$(awk -v a="$ns" -v b="$than" 'BEGIN { print (a > 0 && a < b) }')" 1 "$4 (${ns:-?} ns, ${than:-?} ns)"
}

go_missing() {
  if ! command -v go >/dev/null; then
    printf 'go '
  elif [[ ! $(go env GOVERSION 2>/dev/null) =~ ^go1\.(2[2-9]|[3-9][0-9]) ]]; then
    printf 'go 1.22 '
  fi
  command -v pkg-config >/dev/null || printf 'pkg-config'
}
node_headers() { # where node is, or the package libnode-dev
  local folder
  for folder in "$(dirname -- "$(readlink -f -- "$(command -v node)")")/../include/node" /usr/include/node; do
    [[ ! -e $folder/node_api.h ]] || { printf '%s' "$folder" && return; }
  done
  return 1
}
build_go() {
  # Go's cache knows what is built by these flags, and not by what pkg-config says: it would link what another run's
  # folder had.
  (cd examples/go && export CGO_LDFLAGS="-L$prefix/lib" && go vet . && go build -o "$scratch/cost" .)
}
build_node() {
  # shellcheck disable=SC2046
  "${compiler[@]}" -O2 -Wall -Wextra -Werror -shared -fPIC -I"$headers" examples/node/addon.c $(pkg-config --cflags --libs threadclock) \
    -o "$scratch/threadclock.node"
}

succeeds 'make install succeeds' make_install

missing=$(go_missing)
if [[ -z $missing ]]; then
  succeeds 'the program of Go builds' build_go
  is "$(gofmt -l examples/go)" '' 'it is laid out by gofmt'
  said=$(run "$scratch/cost" -rounds 1)
  like "$said" '^20 ms of spinning: CPU [0-9.]+ms, user ' 'it tells what a goroutine has cost'
  is_cheaper "$said" 'tclk_thread_cpu_ns\(\) from Go' "clock_gettime\(CLOCK_THREAD_CPUTIME_ID\) by Go's syscall" \
    'a reading from Go costs less than the system call'
else
  skip 'the program of Go builds' "${missing% }"
fi

if command -v node >/dev/null && headers=$(node_headers) && command -v pkg-config >/dev/null; then
  succeeds 'the addon of Node builds' build_node
  said=$(THREADCLOCK_NODE=$scratch/threadclock.node run node examples/node/cost.js 1)
  like "$said" '^20 ms of spinning: CPU [0-9.]+ ms'$'\n''the same in a worker: CPU [0-9.]+ ms' 'it tells what a function has cost, also in a worker'
  is_cheaper "$said" 'threadCpuNs\(\)' 'process.cpuUsage\(\), of the whole process' 'a reading from JavaScript costs less than what Node has'
else
  skip 'the addon of Node builds' 'node, node_api.h (Debian: libnode-dev) and pkg-config'
fi

done_testing
