#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The real mvnw; the mvn that it fetches with is a stand-in that copies an archive of its own.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

sandbox_create
cp "$launcher_source/mvnw" "$checkout/"
mkdir -p "$checkout/.mvn/wrapper" "$sandbox/pack/apache-maven-3.9.99/bin"
printf '#!/bin/bash\necho "pinned $*"\n' >"$sandbox/pack/apache-maven-3.9.99/bin/mvn"
chmod +x "$sandbox/pack/apache-maven-3.9.99/bin/mvn"
tar -czf "$sandbox/maven.tar.gz" -C "$sandbox/pack" apache-maven-3.9.99
sha512=$(sha512sum <"$sandbox/maven.tar.gz")
sha512=${sha512%% *}
printf '%s\n' mavenVersion=3.9.99 "mavenSha512=$sha512" dependencyPluginVersion=1 >"$checkout/.mvn/wrapper/maven-wrapper.properties"
ln -sf "$(type -P gzip)" "$sandbox/bin/gzip"
readonly dists=$sandbox/home/.m2/wrapper/dists
readonly fetching='for argument; do case $argument in -DoutputDirectory=*) folder=${argument#*=} ;; esac; done'
readonly fetched='cp "$HOME/../maven.tar.gz" "$folder/apache-maven-bin.tar.gz"'

wrapper() { # arguments…
  status=0
  env -C "$checkout" -i PATH="$sandbox/bin" HOME="$sandbox/home" CALLS="$calls" ./mvnw "$@" >"$sandbox/out" 2>"$sandbox/err" </dev/null || status=$?
  out=$(<"$sandbox/out")
  err=$(<"$sandbox/err")
}

refuses() { # regular expression, sentence
  wrapper -v
  like "$status $out $err" "^1 .*$1[^"$'\n'"]*\$" "$2 one line says what to do"
  is "$(ls "$dists" 2>/dev/null)" '' 'and nothing of it is left'
}

refuses 'no mvn was found .*Install maven' 'without any mvn'
sandbox_fake mvn <<<'echo "[INFO] Scanning"; echo "[ERROR] Could not transfer artifact: Unknown host"; exit 1'
refuses 'fetching Maven 3.9.99 .*: Could not transfer artifact: Unknown host\. Check ' 'where nothing can be fetched'
sandbox_fake mvn <<<"$fetching; echo other >\"\$folder/apache-maven-bin.tar.gz\""
refuses "SHA-512 is [0-9a-f]{128}, not $sha512\\. " 'if the checksum is another'

# None goes on before all three have started to fetch.
sandbox_fake mvn <<<"$fetching; echo \"started \$* in \$PWD\" >>\"\$CALLS\"; until ((\$(grep -c started \"\$CALLS\") >= 3)); do sleep 0.02; done; $fetched"
for run in 1 2 3; do
  env -i PATH="$sandbox/bin" HOME="$sandbox/home" CALLS="$calls" "$checkout/mvnw" verify "run $run" >"$sandbox/out$run" 2>/dev/null &
done
wait
is "$(cat "$sandbox"/out[123])" $'pinned verify run 1\npinned verify run 2\npinned verify run 3' 'three at once fetch it, and all run'
is "$(ls "$dists")" "threadclock-maven-3.9.99-${sha512:0:12}" 'and leave one Maven and nothing else'
is "$(sandbox_calls "org\.apache\.maven:apache-maven:3\.9\.99:tar\.gz:bin") $(sandbox_calls "in $checkout")" '3 0' \
  'by its coordinates, through an mvn that does not run in the project'
sandbox_forget_calls
wrapper -v
is "$out $(sandbox_calls .)" 'pinned -v 0' 'another run fetches nothing'

done_testing
