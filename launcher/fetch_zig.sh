#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fetch_zig.sh STORE VERSION: puts the Python package ziglang of that version into STORE/zig-VERSION, unpacked.
set -euo pipefail

# For x86_64 and aarch64.
readonly FETCH_SHA256=(
  97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b
  d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3
)

store=$1 version=$2

mkdir -p -- "$store"
work=$(mktemp -d -- "$store/zig.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
trap 'exit 143' INT TERM HUP

printf 'ziglang==%s%s\n' "$version" "$(printf ' --hash=sha256:%s' "${FETCH_SHA256[@]}")" >"$work/wanted"
printf 'downloading\n'
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
  -d "$work" -r "$work/wanted"
printf 'unpacking\n'
python3 -m zipfile -e "$work"/ziglang-*.whl "$work/unpacked"
chmod -R a+rX "$work/unpacked"
chmod a+x "$work/unpacked/ziglang/zig"
"$work/unpacked/ziglang/zig" version
rm -rf -- "$store/zig-$version"
mv -T -- "$work/unpacked" "$store/zig-$version"
