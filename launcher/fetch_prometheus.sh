#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fetch_prometheus.sh STORE: puts what is in Debian's package prometheus, as apt offers it here, into STORE/prometheus.
# Its programs need libc and nothing else.
set -euo pipefail

store=$1

work=$(mktemp -d -- "$store/prometheus.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
trap 'exit 143' INT TERM HUP

printf 'downloading\n'
# As this user, who alone may write there.
(cd -- "$work" && apt-get -q -o APT::Sandbox::User="$(id -un)" download prometheus)
printf 'unpacking\n'
dpkg-deb -x "$work"/prometheus_*.deb "$work/tree"
"$work/tree/usr/bin/promtool" --version
rm -rf -- "$store/prometheus"
mv -T -- "$work/tree" "$store/prometheus"
