# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Prometheus and promtool of Debian's package, for the tests of the meters. Unpacked into the store and not installed:
# an installed one is a service, which starts at once and listens.

prometheus_folder=$store/prometheus/usr/bin

# Welcome, not required.
prometheus_seek() {
  [[ -z ${THREADCLOCK_PROMETHEUS:-} ]] || return 0
  ! command -v prometheus >/dev/null || ! command -v promtool >/dev/null || return 0
  export THREADCLOCK_PROMETHEUS=$prometheus_folder
  ! prometheus_is_here || return 0
  toolchain_learn_packages
  if ! apt_offers prometheus; then
    prometheus_tell_none "apt offers none"
  elif ! mkdir -p -- "$store" 2>/dev/null || [[ ! -w $store ]]; then
    prometheus_tell_none "$store, for what is fetched, cannot be written"
  elif ! prometheus_fetch; then
    prometheus_tell_none "fetching Debian's failed (all output: $state/prometheus.log)"
  fi
}

prometheus_is_here() {
  [[ -x $prometheus_folder/prometheus && -x $prometheus_folder/promtool ]]
}

prometheus_fetch() {
  store_open
  store_step prometheus_is_here "fetching prometheus from Debian" "$state/prometheus.log" \
    bash "$root/launcher/fetch_prometheus.sh" "$store"
}

prometheus_tell_none() { # reason
  say "no prometheus with promtool is here, and $1: the tests of the meters with it are skipped; all else runs."
}
