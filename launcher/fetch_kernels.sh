#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fetch_kernels.sh FOLDER ARCHITECTURE KERNEL…: puts kernels of Debian's archive into FOLDER/KERNEL/vmlinuz-RELEASE.
# ARCHITECTURE is amd64 or arm64. KERNEL is two numbers, as in 6.12: the newest that Debian has of these; or `newest`:
# the newest of all. 6.12-rt and newest-rt are those with PREEMPT_RT.
set -euo pipefail
# shellcheck source=launcher/archive.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/archive.sh"

readonly FETCH_SUITES='bookworm trixie sid'

folder=$1
architecture=$2
shift 2
work= # apt's own folders, the packages, and the kernels that are not yet in the folder

fetch_fail() { # what was tried, what answered
  printf 'fetch_kernels: %s\n' "$*" >&2
  exit 1
}

# Also what a killed one has left.
fetch_clean() {
  rm -rf -- "$folder"/fetch.??????
}

# The cloud's are the smallest, with all that a virtual machine needs built in.
fetch_flavour() { # kernel
  [[ $1 == *-rt ]] && printf 'rt-%s' "$architecture" || printf 'cloud-%s' "$architecture"
}

fetch_offered() { # flavour: prints the packages, each after its release, oldest release first
  archive_apt_cache pkgnames linux- | sed -nE "s/^(linux-(image|binary)-([0-9].*-$1))\$/\\3 \\1/p" | sort -V
}

# Newer packagings have the file in linux-binary-…, and linux-image-… beside it.
fetch_package() { # kernel: prints the release and its package
  local offered found series=${1%-rt}
  offered=$(fetch_offered "$(fetch_flavour "$1")")
  found=$offered
  [[ $series == newest ]] || found=$(grep -E "^${series//./\\.}\\." <<<"$offered") ||
    fetch_fail "Debian has no kernel $1; it has $(awk '{print $1}' <<<"$offered" | uniq | paste -sd ' ')"
  awk '$1 != release { release = $1; package = $2 } $2 ~ /-binary-/ { package = $2 } END { print release, package }' <<<"$found"
}

fetch_unpack() { # kernel, release, package
  local tree=$work/tree-$1 file
  mkdir -- "$tree" "$work/$1"
  dpkg-deb --fsys-tarfile "$work/${3}"_*.deb | tar -x -C "$tree" --wildcards '*/vmlinuz*' || return
  file=$(find "$tree" -type f -name 'vmlinuz*' -print -quit)
  mv -- "$file" "$work/$1/vmlinuz-$2"
}

fetch_publish() { # kernel
  rm -rf -- "${folder:?}/$1"
  mv -T -- "$work/$1" "$folder/$1"
}

fetch_all() { # kernels…
  local kernel release package packages=() releases=()
  for kernel in "$@"; do
    read -r release package <<<"$(fetch_package "$kernel")"
    [[ -n $package ]] || exit 1
    releases+=("$release") packages+=("$package")
  done
  printf 'downloading Linux %s\n' "${releases[*]}"
  (cd -- "$work" && archive_apt_get download "${packages[@]}") || fetch_fail "apt-get download ended with status $?"
  for kernel in "$@"; do
    printf 'unpacking Linux %s\n' "${releases[0]}"
    fetch_unpack "$kernel" "${releases[0]}" "${packages[0]}" || fetch_fail "unpacking ${packages[0]} gave no vmlinuz"
    releases=("${releases[@]:1}") packages=("${packages[@]:1}")
  done
}

main() { # kernels…
  local kernel
  mkdir -p -- "$folder"
  fetch_clean
  trap fetch_clean EXIT
  trap 'exit 143' INT TERM HUP
  work=$(mktemp -d -- "$folder/fetch.XXXXXX")
  archive_open "$work" "$FETCH_SUITES" "$architecture" || fetch_fail "$archive_refusal"
  fetch_all "$@"
  for kernel in "$@"; do
    fetch_publish "$kernel"
  done
}

main "$@"
