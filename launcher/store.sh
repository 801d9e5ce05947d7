# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The store holds what is fetched once and not installed. It is outside the checkout, and other checkouts share it.

readonly ZIG_VERSION=0.17.0
readonly MYPY_VERSION=2.4.1

store=${THREADCLOCK_CACHE:-${XDG_CACHE_HOME:-~/.cache}/threadclock}
store_lock=
zig= # the program, once it is provided

# While this launcher runs, nobody replaces anything in the store.
store_open() {
  [[ -z $store_lock ]] || return 0
  [[ $store != *:* ]] ||
    fail "what is fetched would go to $store: a ':' separates paths in what they are bound to. Name another folder in THREADCLOCK_CACHE."
  store_is_writable ||
    fail "creating $store, for what is fetched, failed. Make it writable, or name another folder in THREADCLOCK_CACHE."
  ! command -v flock >/dev/null || { exec {store_lock}>>"$store/lock" && flock -s "$store_lock"; }
}

store_is_writable() {
  mkdir -p -- "$store" 2>/dev/null && [[ -w $store ]]
}

store_provide() { # what, what says whether it is here, how to do without Debian, arguments of fetch.sh…
  local what=$1 is_here=$2 else=$3
  shift 3
  store_open
  ! "$is_here" || return 0
  apt_is_here || fail "$what: not here, and without apt-get not to be had from Debian. $else"
  store_fetch "$what from Debian" "$is_here" "$@" ||
    fail "fetching $what from Debian failed: $(store_answer "$1"). Check the network and the sources of apt, or name a mirror in THREADCLOCK_MIRROR. $else All output: $state/fetch-$1.log"
}

# If several launchers miss the same thing, one fetches it and the others wait.
store_fetch() { # what, what says whether it is here, arguments of fetch.sh…
  local what=$1 is_here=$2 status=0
  shift 2
  store_open
  [[ -z $store_lock ]] || store_lock_alone
  "$is_here" || job_step "fetching $what" "$state/fetch-$1.log" bash "$root/launcher/fetch.sh" "$@" || status=$?
  [[ -z $store_lock ]] || flock -s "$store_lock"
  return "$status"
}

store_lock_alone() {
  flock -n -x "$store_lock" && return
  say "another ./threadclock uses $store: waiting for it."
  flock -x "$store_lock"
}

# Prints what was given up, and apt's message about it.
store_answer() { # kind, as fetch.sh names it
  local log=$state/fetch-$1.log given_up said
  given_up=$(grep '^fetch: ' "$log" | tail -n 1) || given_up=$(tail -n 1 -- "$log")
  said=$(apt_answer "$log")
  printf '%s' "${given_up#fetch: }${said:+ ($said)}"
}

# ---- Zig's C compiler, which builds for other machines and for older C libraries than this one's ----

zig_provide() {
  zig=$store/zig-$ZIG_VERSION/ziglang/zig
  # Zig compiles its libraries once for each target, which takes 20 seconds.
  export ZIG_GLOBAL_CACHE_DIR=$store/zig-cache ZIG_LOCAL_CACHE_DIR=$store/zig-cache
  store_open
  ! zig_is_here || return 0
  toolchain_require pip
  store_fetch "Zig $ZIG_VERSION" zig_is_here zig "$store" "$ZIG_VERSION" ||
    fail "fetching Zig $ZIG_VERSION by pip failed: $(tail -n 1 -- "$state/fetch-zig.log"). Check the network and pip's settings; all output: $state/fetch-zig.log"
}

zig_is_here() {
  [[ $("$zig" version 2>/dev/null) == "$ZIG_VERSION" ]]
}

# ---- Prometheus, for the tests of the meters; an installed one is a service, which starts at once and listens ----

# This is optional.
prometheus_seek() {
  local without="the tests of the meters with prometheus and promtool are skipped"
  [[ -z ${THREADCLOCK_PROMETHEUS:-} ]] || return 0
  ! command -v prometheus >/dev/null || ! command -v promtool >/dev/null || return 0
  export THREADCLOCK_PROMETHEUS=$store/prometheus/usr/bin
  ! prometheus_is_here || return 0
  toolchain_learn_packages
  if ! apt_offers prometheus; then
    toolchain_do_without prometheus "apt offers none" "$without"
  elif ! store_is_writable; then
    toolchain_do_without prometheus "$store, for what is fetched, cannot be written" "$without"
  elif ! store_fetch "prometheus from Debian" prometheus_is_here prometheus "$store"; then
    toolchain_do_without prometheus "fetching Debian's failed (all output: $state/fetch-prometheus.log)" "$without"
  fi
}

prometheus_is_here() {
  [[ -x $THREADCLOCK_PROMETHEUS/prometheus && -x $THREADCLOCK_PROMETHEUS/promtool ]]
}

# ---- mypy, which checks the types of the Python package ----

# This is optional.
mypy_seek() {
  export THREADCLOCK_MYPY=$store/mypy-$MYPY_VERSION
  if ! toolchain_has pip || ! store_is_writable || mypy_is_here; then return 0; fi
  store_fetch "mypy $MYPY_VERSION" mypy_is_here mypy "$store" "$MYPY_VERSION" ||
    toolchain_do_without mypy "fetching it by pip failed (all output: $state/fetch-mypy.log)" \
      "the check of the Python package's types is skipped"
}

mypy_is_here() {
  [[ $(PYTHONPATH=$THREADCLOCK_MYPY python3 -m mypy --version 2>/dev/null) == "mypy $MYPY_VERSION"* ]]
}
