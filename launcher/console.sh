# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What the launcher says. Messages go to standard error: standard output is for results.

readonly CONSOLE_WIDTH=78 # of the line that is written over; one that wraps could not be

say() {
  printf 'threadclock: %s\n' "$*" >&2
}

fail() { # what was tried, what answered, what to do
  say "$*"
  exit 1
}

console_is_terminal() {
  [[ -t 2 && ${TERM:-dumb} != dumb ]]
}

console_overwrite() { # text; none: only erases
  local text=${1:-}
  printf '\r\e[K%s' "${text:0:CONSOLE_WIDTH}" >&2
}

console_now_ms() {
  local now_us=${EPOCHREALTIME/[.,]/}
  printf '%d' $((now_us / 1000))
}

console_seconds() { # milliseconds
  printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
}
