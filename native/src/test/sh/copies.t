#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Several copies of the library in one process are one clock: clock/first_copy.h.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

core=("$BUILD"/lib/kernel/*.o "$BUILD"/lib/clock/*.o "$BUILD"/lib/clock/*/*.o)

compile() { # arguments of the compiler…
  # Split on purpose: CC may hold options.
  # shellcheck disable=SC2086
  $CC -D_GNU_SOURCE -O1 -fPIC -fno-lto -Isrc/main/c -Isrc/test/c "$@" -lpthread -ldl
}

# first_copy.o, thread_clock.o and version.o decide what another copy sees of this one.
build_other() { # name, flags…
  local name=$1 object
  local objects=()
  shift
  for object in "${core[@]}"; do
    case $object in
      */first_copy.o | */thread_clock.o | */version.o) ;;
      *) objects+=("$object") ;;
    esac
  done
  compile -shared -Wl,-z,nodelete -std=c11 "$@" -o "$scratch/$name.so" "${objects[@]}" \
    src/main/c/clock/{first_copy,thread_clock,version}.c
}

build_plugin() { # as an extension module has it: no name of threadclock.h is seen from outside
  cat >"$scratch/plugin.c" <<'END'
#include "include/threadclock.h"
int plugin_thread_read(struct tclk_times *times) { return tclk_thread_read(times); }
int plugin_tid_read(pid_t tid, struct tclk_times *times) { return tclk_tid_read(tid, times); }
int plugin_clock_configure_sized(const struct tclk_config *c, size_t size) { return tclk_clock_configure_sized(c, size); }
enum tclk_source plugin_clock_source(void) { return tclk_clock_source(); }
void plugin_clock_stats_sized(struct tclk_stats *stats, size_t size) { tclk_clock_stats_sized(stats, size); }
size_t plugin_clock_explain(char *buffer, size_t size) { return tclk_clock_explain(buffer, size); }
END
  printf '{ global: plugin_*; local: *; };\n' >"$scratch/plugin.map"
  ar rcs "$scratch/libcore.a" "${core[@]}"
  # Sections that nobody calls go, as rustc does it.
  compile -shared -Wl,--gc-sections -Wl,--version-script="$scratch/plugin.map" -o "$scratch/plugin.so" \
    "$scratch/plugin.c" "$scratch/libcore.a"
}

readonly plain=$BUILD/test/program/copies own=$scratch/copies

copies() { # program, law, first, second
  "$@" 2>&1
}

is_one_clock() { # program, first, second
  local name="${2##*/} and ${3##*/}"
  none "$(copies "$1" in-turn "$2" "$3")" "$name: readings in turn are one sequence"
  none "$(copies "$1" threads "$2" "$3")" "$name: so are those of a thread by itself and by another one"
  none "$(copies "$1" forks "$2" "$3")" "$name: so are those of a child, from its own start on"
}

cp -- "$library" "$scratch/same.so"
succeeds 'a copy of another version is built' build_other newer '-DTCLK_VERSION="99.0.0"'
succeeds 'one with another interface is built' build_other stranger '-DTCLK_VERSION="99.0.0"' -DTCLK_COPY_INTERFACE=99
succeeds 'one that no name is seen of is built' build_plugin
succeeds 'a program that contains one is built' \
  compile -std=c11 -DHAS_OWN -Wl,--gc-sections -o "$own" src/test/c/program/copies.c "$scratch/libcore.a"

none "$(nm -D --defined-only "$scratch/plugin.so" | grep ' tclk_' || true)" 'no name of it is seen indeed'
like "$(readelf -nW "$scratch/plugin.so")" 'threadclock ' 'its note is there'

is_one_clock "$plain" "$library" "$scratch/same.so"
is_one_clock "$plain" "$scratch/newer.so" "$library"
is_one_clock "$plain" "$scratch/plugin.so" "$library"
is_one_clock "$own" own "$library"
is_one_clock "$own" own "$scratch/newer.so"
# The first one is not the one that answers first, but the one that was loaded first.
none "$(copies "$own" in-turn "$scratch/newer.so" own)" 'the order of the readings does not matter'
none "$(copies "$plain" quiet "$library" "$scratch/plugin.so")" "a copy's readings are no switch to the other one"
succeeds 'one that is unloaded stays for threads that end, and for children' "$plain" unloaded "$scratch/plugin.so" "$scratch/plugin.so"
none "$(copies "$plain" settings "$library" "$scratch/plugin.so")" 'they have one source, whichever is configured'

# The loader constructs what a preloaded library does not need before that library, which is the first copy all the same.
cat >"$scratch/early.c" <<'END'
#include "include/threadclock.h"
#include <stdio.h>
__attribute__((constructor)) static void read_early(void) { (void)tclk_thread_cpu_ns(); }
void early_print(void) { char text[1024]; tclk_clock_explain(text, sizeof text); (void)puts(text); }
END
printf 'void early_print(void);\nint main(void) { early_print(); return 0; }\n' >"$scratch/early_main.c"
ln -s -- "$library" "$scratch/libthreadclock.so.0"
succeeds 'a library is built that reads in its constructor' \
  compile -shared -o "$scratch/libearly.so" "$scratch/early.c" "$library" "-Wl,-rpath,$scratch"
succeeds 'and a program that needs it' compile -o "$scratch/early" "$scratch/early_main.c" "$scratch/libearly.so" "-Wl,-rpath,$scratch"
is "$(LD_PRELOAD=$BUILD/libthreadclock-preload.so "$scratch/early")" "$("$scratch/early")" \
  'a copy that reads before the first one is constructed costs the process no source'

is "$(copies "$plain" refuses "$library" "$scratch/stranger.so")" "-17 -17 -17, 1 untouched: another copy of threadclock, \
of version $VERSION, is the clock of this process, and version 99.0.0 cannot ask it. Use one version" \
  'a copy with another interface than the first refuses, and says why'

# 105: it shows no view.
readonly agents=$BUILD/test/program/agents
asked() { # library, other: the first one's file goes
  cp -- "$1" "$scratch/gone.so"
  timeout 60 "$agents" "$scratch/gone.so" "$2" 2>&1
  rm -f -- "$scratch/gone.so"
}
is "$(asked "$library" "$scratch/same.so")" '105 by 2 copies, 0 files' \
  "a copy hands over to the program's in memory, whoever has that one's path by now, and opens no file for it"
sed "s/\x00$VERSION\x00/\x009${VERSION:1}\x00/" "$library" >"$scratch/other.so"
is "$(asked "$scratch/other.so" "$library")" '105 by 1 copies, 0 files' 'but not to one of another version'

done_testing
