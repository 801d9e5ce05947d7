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
  local package
  mkdir -p -- "$(dirname -- "$folder")"
  fetch_clean
  trap fetch_clean EXIT
  trap 'exit 143' INT TERM HUP
  work=$(mktemp -d -- "$folder.XXXXXX")
  archive_open "$work" "$FETCH_SUITE" "$architecture" || fetch_fail "$archive_refusal"
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
