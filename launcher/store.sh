# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# --jdks: the JDKs to run on. Those that this machine does not have are fetched, once, into a store
# outside the checkout, which other checkouts share.

readonly STORE_OLDEST=8 # that the agent is for
readonly STORE_RELEASES=(8 11 17 21 25 26) # `all`: these, and the newest beyond them that Debian has

store=${THREADCLOCK_CACHE:-${XDG_CACHE_HOME:-~/.cache}/threadclock}
store_lock=
store_wanted=   # what --jdks says
store_oldest=   # feature version that the command needs at least
store_refresh=  # set: what is in the store does not count
store_chosen=() # feature versions, once there is a JDK of each

store_want() { # oldest feature version that the command runs on, list or `all`
  local feature
  [[ $2 == all || $2 =~ ^[0-9]+(,[0-9]+)*$ ]] ||
    usage_refuse "--jdks takes feature versions, as in --jdks=17,25, or all; it got '$2'."
  [[ $2 == all ]] || for feature in ${2//,/ }; do
    ((feature >= $1)) || usage_refuse "this command needs JDK $1 or newer; --jdks asks for $feature."
  done
  store_oldest=$1 store_wanted=$2
}

# Fetches what is missing; leaves the homes in THREADCLOCK_JDKS, for the Java programs.
store_provide() {
  local missing
  store_open
  missing=$(store_missing)
  [[ -z $missing ]] || store_fetch "$missing"
  store_choose
}

# As long as this launcher runs nobody replaces the JDKs under it.
store_open() {
  [[ -z $store_lock ]] || return 0
  [[ $store != *:* ]] ||
    fail "what is fetched would go to $store: a ':' separates paths in what they are bound to. Name another folder in THREADCLOCK_CACHE."
  { mkdir -p -- "$store" 2>/dev/null && [[ -w $store ]]; } ||
    fail "creating $store, for what is fetched, failed. Make it writable, or name another folder in THREADCLOCK_CACHE."
  ! command -v flock >/dev/null || { exec {store_lock}>>"$store/lock" && flock -s "$store_lock"; }
}

store_features() { # feature versions that are wanted, and `newest` where only Debian knows which that is
  local feature
  if [[ $store_wanted != all ]]; then
    tr ',' '\n' <<<"$store_wanted" | sort -nu
    return
  fi
  for feature in "${STORE_RELEASES[@]}"; do
    ((feature < store_oldest)) || printf '%s\n' "$feature"
  done
  store_newest || printf 'newest\n'
}

# As it was when Debian was last asked for its newest.
store_newest() {
  local link
  [[ -z $store_refresh ]] && link=$(readlink -- "$store/newest") && printf '%s\n' "${link#jdk-}"
}

store_missing() {
  local feature
  for feature in $(store_features); do
    [[ -n $(jdk_homes_of "$feature") ]] || store_has "$feature" || printf '%s ' "$feature"
  done
}

# Started, because one whose files have been touched may be there and not run.
store_has() { # feature version
  [[ -z $store_refresh ]] && "$store/jdk-$1/home/bin/java" -version >/dev/null 2>&1
}

store_fetch() { # feature versions
  local names=${1% } log=$state/jdks.log missing
  names=${names// /, } names=${names/newest/the newest}
  apt_is_here ||
    fail "JDK $names: not here, and without apt-get not to be had from Debian. Install it, and name its home in THREADCLOCK_JDKS."
  toolchain_require patchelf
  # shellcheck disable=SC2086
  store_step store_is_full "fetching JDK $names from Debian" "$log" bash "$root/launcher/fetch_jdks.sh" "$store" $1 ||
    fail "fetching JDK $names from Debian failed: $(store_answer "$log"). Check the network and the sources of apt, name a mirror in THREADCLOCK_MIRROR, or homes of such JDKs in THREADCLOCK_JDKS; all output: $log"
  store_refresh=
  missing=$(store_missing)
  [[ -z $missing ]] || fail "fetched JDK $names, and still JDK $missing does not start. See $log."
}

store_is_full() {
  [[ -z $(store_missing) ]]
}

# Of launchers that miss the same thing one fetches it, and the others wait.
store_step() { # what says whether it is here, title, log, command…
  local is_here=$1 status=0
  shift
  [[ -z $store_lock ]] || store_lock_alone
  "$is_here" || job_step "$@" || status=$?
  [[ -z $store_lock ]] || flock -s "$store_lock"
  return "$status"
}

store_lock_alone() {
  flock -n -x "$store_lock" && return
  say "another ./threadclock uses $store: waiting for it."
  flock -x "$store_lock"
}

# What was given up, and what apt said of it.
store_answer() { # log
  local given_up said
  given_up=$(grep -E '^fetch_[a-z]+: ' "$1" | tail -n 1) || given_up=$(tail -n 1 -- "$1")
  said=$(apt_answer "$1")
  printf '%s' "${given_up#fetch_*: }${said:+ ($said)}"
}

store_choose() {
  local feature homes all=''
  store_chosen=()
  for feature in $(store_features); do
    homes=$(jdk_homes_of "$feature")
    all+=:${homes:-$store/jdk-$feature/home}
    store_chosen+=("$feature")
  done
  export THREADCLOCK_JDKS=${all#:}
}
