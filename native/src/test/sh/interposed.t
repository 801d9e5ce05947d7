#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# libthreadclock-preload.so: what its file takes over, and what programs read with it.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly preload=$BUILD/libthreadclock-preload.so
readonly program=$BUILD/test/program/interposed

is "$(nm -D --defined-only "$preload" | awk '{ print $3 }' | sort | tr '\n' ' ')" \
  'clock_gettime getrusage prctl syscall vfork ' \
  'it exports what it takes over from libc, without versions, and nothing else'
like "$(dynamic "$preload" SONAME)" '\[libthreadclock-preload\.so\]' 'it has a name of its own'
is_loaded_for_good "$preload"

run() { # sentence, preloaded libraries, arguments…
  local sentence=$1 libraries=$2
  shift 2
  succeeds "$sentence" env LD_PRELOAD="$libraries" timeout 600 "$program" "$@"
}

run 'a program reads its threads by it' "$preload" "$library"
run 'so it does before constructors have run' "$preload:$BUILD/test/preload/early.so"
run 'a program that another copy is preloaded into, as if it were linked with it, has one clock' "$preload:$library" "$library"
run 'and so has one in which that copy is the first' "$library:$preload" "$library"

beside() { # sentence, file of a library, Debian's package
  local path
  path=$(compgen -G "/usr/lib/*/$2")
  if [[ -n $path ]]; then
    run "$1" "$preload:$path" "$library"
  else
    skip "$1" "$2 (Debian's $3)"
  fi
}
beside 'a program reads its threads by it beside jemalloc' libjemalloc.so.2 libjemalloc2
FAKETIME=-2d beside 'so it does beside libfaketime, which makes up other clocks' faketime/libfaketime.so.1 faketime

# The loader sees to it: the program would otherwise run what its caller chose, with its owner's rights.
how_it_runs() { # a program that sleeps: prints its user ids, real and effective, and how often the library is mapped
  local pid
  LD_PRELOAD=$preload "$1" 60 &
  pid=$!
  until [[ $(readlink "/proc/$pid/exe") == "$1" ]] && grep -q '^State:.S' "/proc/$pid/status"; do
    kill -0 "$pid" || return
  done
  awk '/^Uid:/ { printf "%s %s ", $2, $3 }' "/proc/$pid/status"
  grep -c "${preload##*/}" "/proc/$pid/maps"
  kill "$pid"
  wait "$pid"
} 2>/dev/null
cp -- "$(command -v sleep)" "$scratch/sleep"
like "$(how_it_runs "$scratch/sleep")" "^$UID $UID [1-9]" 'it is mapped into a program'
chown 65534 "$scratch/sleep" 2>/dev/null && chmod 4755 "$scratch/sleep"
answer=$(how_it_runs "$scratch/sleep")
if [[ $answer == "$UID 65534 "* ]]; then
  is "$answer" "$UID 65534 0" 'but not into one that has the rights of another user'
else
  skip 'but not into one that has the rights of another user' \
    'no setuid program can be made here: that takes root, and a file system without nosuid'
fi

done_testing
