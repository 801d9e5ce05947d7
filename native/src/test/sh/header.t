#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# threadclock.h in the languages that include it.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly include=src/main/c/include

compile() { # language, standard: the header alone, and a call of everything in it
  local flags=(-Wall -Wextra -Werror -pedantic -fsyntax-only -I"$include" -x "$1" -std="$2" -)
  cat <<'END' | "${compiler[@]}" "${flags[@]}"
#include <threadclock.h>
#include <threadclock.h>
int main(void)
{
    struct tclk_times times;
    struct tclk_stats stats;
    struct tclk_waits waits;
    struct tclk_config config = {TCLK_SOURCE_AUTO, TCLK_SPLIT_SMOOTHED, 0, 0};
    char text[16];
    tclk_clock_stats(&stats);
    return tclk_thread_waits(&waits) + tclk_tid_waits(1, &waits) + (waits.run_delay_ns == TCLK_UNKNOWN) + tclk_clock_configure(&config) + tclk_thread_read(&times) + (int)tclk_thread_cpu_ns() +
           (int)tclk_thread_user_ns() + (int)tclk_clock_explain(text, sizeof text) +
           (int)tclk_source_explain(tclk_clock_source(), text, sizeof text) +
           tclk_source_name(TCLK_SOURCE_RSEQ)[0] + tclk_version()[0];
}
END
}

read -ra compiler <<<"$CC"
for standard in c11 gnu17; do
  succeeds "threadclock.h is $standard without a warning" compile c "$standard"
done

compiler=()
for name in g++ clang++; do
  if command -v "$name" >/dev/null; then compiler=("$name") && break; fi
done
for standard in c++11 c++20; do
  if ((${#compiler[@]})); then
    succeeds "it is $standard without a warning" compile c++ "$standard"
  else
    skip "it is $standard without a warning" 'a C++ compiler'
  fi
done

done_testing
