# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The store holds what is fetched once and not installed. It is outside the checkout, and other checkouts share it.

readonly ZIG_VERSION=0.17.0
readonly ZIG_SHA256=( # of the wheels for x86_64 and aarch64
  97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b
  d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3
)
readonly PYTHON_WHEELS='mypy==2.4.1 prometheus_client==0.26.0 opentelemetry-sdk==1.45.2' # for tests of the Python package

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
  exec {store_lock}>>"$store/lock"
  flock -s "$store_lock"
}

store_is_writable() {
  mkdir -p -- "$store" 2>/dev/null && [[ -w $store ]]
}

# A folder is there once it is whole. What does not fit any more has another name.
store_has() { # arguments of fetch.sh
  case $1 in
    jdks) [[ -z $(jdk_missing) ]] ;;
    kernels) [[ -z $(kernels_missing "$2" "${@:4}") ]] ;;
    *) [[ -d $store/$2 ]] ;;
  esac
}

# What a command cannot do without.
store_provide() { # what, how to do without Debian, arguments of fetch.sh…
  local what=$1 else=$2
  shift 2
  store_open
  ! store_has "$@" || return 0
  if [[ $1 == pip ]]; then
    toolchain_require pip
  else
    apt_is_here || fail "$what: not here, and without apt-get not to be had from Debian. $else"
    else="Check the network and the sources of apt, or name a mirror in THREADCLOCK_MIRROR.${else:+ $else}"
    what+=' from Debian'
  fi
  store_fetch "$what" "$@" || fail "fetching $what failed: $(store_answer "$1"). $else All output: $state/fetch-$1.log"
}

# What some tests can do without.
store_seek() { # what, what is left out without it, arguments of fetch.sh…
  local what=$1 without=$2
  shift 2
  if ! store_is_writable; then
    toolchain_do_without "$what" "$store, for what is fetched, cannot be written" "$without"
  elif ! store_has "$@" && ! store_fetch "$what" "$@"; then
    toolchain_do_without "$what" "fetching it failed: $(store_answer "$1") (all output: $state/fetch-$1.log)" "$without"
  fi
}

# If several launchers miss the same thing, one fetches it and the others wait.
store_fetch() { # what, arguments of fetch.sh…
  local what=$1 status=0
  shift
  store_open
  flock -n -x "$store_lock" || {
    say "another ./threadclock uses $store: waiting for it."
    flock -x "$store_lock"
  }
  store_has "$@" || job_step "fetching $what" "$state/fetch-$1.log" bash "$root/launcher/fetch.sh" "$store" "$@" || status=$?
  flock -s "$store_lock"
  return "$status"
}

# Prints what was given up, and apt's message about it.
store_answer() { # kind, as fetch.sh names it
  local log=$state/fetch-$1.log given_up said
  given_up=$(grep '^fetch: ' "$log" | tail -n 1) || given_up=$(tail -n 1 -- "$log")
  said=$(apt_answer "$log")
  [[ $said != "$given_up" ]] || said=
  printf '%s' "${given_up#fetch: }${said:+ ($said)}"
}

# Zig's C compiler builds for other machines and for older C libraries than this one's.
zig_provide() {
  zig=$store/zig-$ZIG_VERSION/ziglang/zig
  # Zig compiles its libraries once for each target, which takes 20 seconds.
  export ZIG_GLOBAL_CACHE_DIR=$store/zig-cache ZIG_LOCAL_CACHE_DIR=$store/zig-cache
  store_provide "Zig $ZIG_VERSION by pip" "Check the network and pip's settings." \
    pip "zig-$ZIG_VERSION" "ziglang==$ZIG_VERSION" "${ZIG_SHA256[@]}"
}

# Prometheus is for the tests of the meters; an installed one is a service, which starts at once and listens.
prometheus_seek() {
  [[ -z ${THREADCLOCK_PROMETHEUS:-} ]] || return 0
  ! command -v prometheus >/dev/null || ! command -v promtool >/dev/null || return 0
  export THREADCLOCK_PROMETHEUS=$store/prometheus/usr/bin
  toolchain_learn_packages
  store_seek prometheus "the tests of the meters with prometheus and promtool are skipped" package prometheus
}

# For tests of the Python package: mypy checks its types, and its recipes use the others. Some have parts that are
# compiled for one version of Python.
python_seek() {
  local name
  toolchain_has pip || return 0
  name=python-$(cksum <<<"$PYTHON_WHEELS" | cut -d' ' -f1)-$(python3 -c 'import sys; print("py%d.%d" % sys.version_info[:2])')
  export THREADCLOCK_PYTHONPATH=$store/$name
  store_seek 'mypy and clients of telemetry' "the check of the Python package's types and recipes is skipped" pip "$name" "$PYTHON_WHEELS"
}
