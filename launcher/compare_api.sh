#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares the API of the Java library, and of the modules for meters and flight recordings, with that of the last
# release, which is the last tag v* before HEAD, and fails where callers of that one would no longer compile or link.
# Needs git and what ./mvnw needs.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

readonly MODULES=(threadclock-library threadclock-jfr threadclock-micrometer)

# Those that it has: a release may be older than a module.
package_modules() { # checkout, arguments of Maven…
  local checkout=$1 module modules=''
  shift
  for module in "${MODULES[@]}"; do
    [[ ! -e $checkout/$module ]] || modules+=,$module
  done
  "$checkout/mvnw" -B -ntp -q -f "$checkout/pom.xml" -pl "${modules#,}" -Dmaven.test.skip=true -Dnative.built "$@" package
}

if ! release=$(git -C "$root" describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
  printf 'there is no release yet, that is no tag v*: nothing to compare the API with.\n'
  exit
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-api.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
git -C "$root" archive "$release" | tar -x -C "$scratch"
# The release's own poms: what it was built with then.
package_modules "$scratch" || {
  printf 'building %s, to compare the API with, failed as above. Correct what it lacks on this machine.\n' "$release" >&2
  exit 1
}
if ! package_modules "$root" -Dapi.baseline="$scratch"; then
  printf 'the API differs from that of %s as above, and would break its callers. Keep what they use, deprecated.\n' \
    "$release" >&2
  exit 1
fi
printf 'the API has all that %s has.\n' "$release"
