#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fetch_root.sh FOLDER ARCHITECTURE PACKAGE…: unpacks packages of Debian's archive, for that architecture, into FOLDER.
# Nothing of them is run or configured: this takes no root, and the folder is no system, only files where they belong.
set -euo pipefail
# shellcheck source=launcher/archive.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/archive.sh"

readonly FETCH_SUITE=bookworm

folder=$1 architecture=$2
shift 2
work=

fetch_fail() { # what was tried, what answered
  printf 'fetch_root: %s\n' "$*" >&2
  exit 1
}

fetch_clean() {
  rm -rf -- "$folder".??????
}

main() { # packages…
  local mirrors package
  mkdir -p -- "$(dirname -- "$folder")"
  fetch_clean
  trap fetch_clean EXIT
  trap 'exit 143' INT TERM HUP
  work=$(mktemp -d -- "$folder.XXXXXX")
  mapfile -t mirrors < <(archive_mirrors)
  ((${#mirrors[@]})) || fetch_fail "the sources of apt name no archive of Debian"
  archive_configure_apt "$work"
  printf 'APT::Architecture%s "%s";\n' '' "$architecture" s "$architecture" >>"$archive_folder/apt.conf"
  archive_update "$FETCH_SUITE" "${mirrors[@]}" || fetch_fail "none of ${mirrors[*]} gave the list of Debian $FETCH_SUITE for $architecture"
  printf 'downloading %s\n' "$*"
  (cd -- "$work" && archive_apt_get download "$@") || fetch_fail "apt-get download ended with status $?"
  mkdir -- "$work/root"
  for package in "$work"/*.deb; do
    printf 'unpacking %s\n' "$(basename -- "$package")"
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/root" --exclude=./usr/share
  done
  chmod 755 "$work/root"
  rm -rf -- "$folder"
  mv -T -- "$work/root" "$folder"
}

main "$@"
