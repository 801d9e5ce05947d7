# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs packages with apt-get, as root or through sudo.

readonly APT_OPTIONS=(
  -q -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
  -o DPkg::Lock::Timeout=300 # a new machine is often busy with its own upgrades
)
readonly APT_LISTS=/var/lib/apt/lists

apt_as_root=() # the words that run a command as root
apt_updated=
apt_update_answer=
apt_failure=

apt_is_here() {
  command -v apt-get >/dev/null
}

# Finds out how to become root, once. Asks for the password if there is a terminal.
apt_become_root() {
  [[ $(id -u) != 0 ]] || return 0
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || { [[ -t 0 && -t 2 ]] && sudo -v; } || return 1
  apt_as_root=(sudo -n)
}

apt_run() { # title, arguments of apt-get…
  local title=$1 status=0
  shift
  job_kill=("${apt_as_root[@]}")
  job_step "$title" "$state/apt.log" \
    "${apt_as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get "${APT_OPTIONS[@]}" "$@" || status=$?
  job_kill=()
  return "$status"
}

# A source that does not answer is no reason to stop, because the others may have what is needed. apt-get then ends with
# 0, so its warning is kept for the case that something is missing.
apt_update() {
  [[ -z $apt_updated ]] || return 0
  apt_updated=yes
  apt_run "apt-get update" update || true
  apt_update_answer=$(apt_answer "$state/apt.log")
}

# Prints apt's last message about a failed fetch; otherwise its last error; otherwise its last warning.
apt_answer() { # log
  local pattern
  for pattern in '^[EW]: Failed to fetch' '^E: ' '^W: '; do
    grep -- "$pattern" "$1" | tail -n 1 | grep . && return
  done
  return 0
}

# Runs apt-get twice, because downloading may be interrupted at any time, and dpkg must not be. Status 1: apt_failure
# holds the answer in one line.
apt_install() { # packages…
  local install=(install -y --no-install-recommends)
  say "missing here, installed with apt-get: $*"
  if apt_run "downloading the packages" "${install[@]}" --download-only "$@"; then
    job_unbroken="the installation of $*"
    if apt_run "installing the packages" "${install[@]}" "$@"; then
      job_unbroken=
      hash -r
      return 0
    fi
    job_unbroken=
  fi
  apt_failure=$(apt_answer "$state/apt.log")
  [[ -z $apt_update_answer ]] || apt_failure+=" (apt-get update: $apt_update_answer)"
  return 1
}

apt_offers() { # package
  apt-cache pkgnames "$1" 2>/dev/null | grep -xF -- "$1" >/dev/null
}

apt_lists_time() {
  stat -c '%Y' "$APT_LISTS" 2>/dev/null || printf 'none'
}

# Prints the newest JDK that the build is known to run on; if there is none, the oldest newer one.
apt_jdk_package() { # minimum
  local feature best=
  for feature in $(apt-cache pkgnames openjdk- 2>/dev/null | sed -nE 's/^openjdk-([0-9]+)-jdk-headless$/\1/p'); do
    if ((feature >= $1)) && jdk_is_better "$feature" "$best"; then best=$feature; fi
  done
  [[ -n $best ]] && printf 'openjdk-%s-jdk-headless' "$best"
}
