#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The real mvnw: it runs no Maven but the one whose checksum is written down. The mvn that it fetches with is a stand-in.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

sandbox_create
cp "$launcher_source/mvnw" "$checkout/"
mkdir -p "$checkout/.mvn/wrapper" "$sandbox/pack/apache-maven-3.9.99/bin"
printf '#!/bin/bash\necho "pinned $*"\n' >"$sandbox/pack/apache-maven-3.9.99/bin/mvn"
chmod +x "$sandbox/pack/apache-maven-3.9.99/bin/mvn"
tar -czf "$sandbox/maven.tar.gz" -C "$sandbox/pack" apache-maven-3.9.99
sha512=$(sha512sum <"$sandbox/maven.tar.gz")
printf '%s\n' mavenVersion=3.9.99 "mavenSha512=${sha512%% *}" dependencyPluginVersion=1 >"$checkout/.mvn/wrapper/maven-wrapper.properties"
ln -sf "$(type -P gzip)" "$sandbox/bin/gzip"
readonly fetching='for argument; do case $argument in -DoutputDirectory=*) folder=${argument#*=} ;; esac; done'

wrapper() { # arguments…: its status, what it said, and what it has left
  status=0
  out=$(env -C "$checkout" -i PATH="$sandbox/bin" HOME="$sandbox/home" ./mvnw "$@" 2>&1 </dev/null) || status=$?
  printf '%s %s %s' "$status" "$out" "$(ls "$sandbox/home/.m2/wrapper/dists" 2>/dev/null)"
}

sandbox_fake mvn <<<"$fetching; echo other >\"\$folder/apache-maven-bin.tar.gz\""
like "$(wrapper -v)" "^1 .*SHA-512 is [0-9a-f]{128}, not ${sha512%% *}\\. [^"$'\n'"]* \$" \
  'a Maven with another checksum does not run, and nothing of it is left'
sandbox_fake mvn <<<"$fetching; cp \"\$HOME/../maven.tar.gz\" \"\$folder/apache-maven-bin.tar.gz\""
like "$(wrapper verify 'a b')" "^0 .*pinned verify a b threadclock-maven-3.9.99-${sha512:0:12}\$" 'the one that is pinned runs'
rm "$sandbox/bin/mvn"
like "$(wrapper -v)" '^0 pinned -v ' 'and is not fetched again'

done_testing
