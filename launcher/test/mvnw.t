#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

# The real mvnw; the mvn that it fetches with is a stand-in that copies an archive of its own.
sandbox_create_wrapper() {
  sandbox_create
  cp "$launcher_source/mvnw" "$checkout/"
  mkdir -p "$checkout/.mvn/wrapper" "$sandbox/pack/apache-maven-3.9.99/bin"
  printf '#!/bin/bash\necho "pinned $*"\n' >"$sandbox/pack/apache-maven-3.9.99/bin/mvn"
  chmod +x "$sandbox/pack/apache-maven-3.9.99/bin/mvn"
  tar -czf "$sandbox/maven.tar.gz" -C "$sandbox/pack" apache-maven-3.9.99
  sha512=$(sha512sum <"$sandbox/maven.tar.gz")
  sha512=${sha512%% *}
  printf '%s\n' mavenVersion=3.9.99 "mavenSha512=$sha512" dependencyPluginVersion=1 \
    >"$checkout/.mvn/wrapper/maven-wrapper.properties"
  dists=$sandbox/home/.m2/wrapper/dists
  sandbox_fake mvn <<'END'
echo "mvn $* in $PWD" >>"$CALLS"
for argument; do case $argument in -DoutputDirectory=*) folder=${argument#*=} ;; esac; done
cp "$HOME/../maven.tar.gz" "$folder/apache-maven-bin.tar.gz"
END
  ln -sf "$(type -P gzip)" "$sandbox/bin/gzip"
}

wrapper() { # arguments…
  status=0
  env -C "$checkout" -i PATH="$sandbox/bin" HOME="$sandbox/home" CALLS="$calls" ./mvnw "$@" \
    >"$sandbox/out" 2>"$sandbox/err" </dev/null || status=$?
  out=$(<"$sandbox/out")
  err=$(<"$sandbox/err")
}

sandbox_create_wrapper
wrapper --is-cached
is "$status" 1 'before the first run the pinned Maven is not there'
wrapper verify "two words"
is "$status $out" '0 pinned verify two words' 'the first run fetches it and hands the arguments on'
like "$(<"$calls")" 'mvn .*:copy -Dartifact=org\.apache\.maven:apache-maven:3\.9\.99:tar\.gz:bin' 'by its coordinates, through the mvn at hand'
unlike "$(<"$calls")" "in $checkout" 'which does not run in the project'
is "$(ls "$dists")" "threadclock-maven-3.9.99-${sha512:0:12}" 'nothing but the unpacked Maven is left'

sandbox_forget_calls
wrapper -v
is "$out $(sandbox_calls mvn)" 'pinned -v 0' 'the second run fetches nothing'
wrapper --is-cached
is "$status" 0 'now it is there'

sandbox_create_wrapper
printf 'something else' >"$sandbox/maven.tar.gz"
wrapper -v
is "$status $out" '1 ' 'an archive with another checksum is not run'
like "$err" "SHA-512 is [0-9a-f]{128}, not $sha512\\. [^"$'\n'"]*\$" 'one line gives both checksums and says what to do'
is "$(ls "$dists")" '' 'and nothing of it is left'

sandbox_create_wrapper
sandbox_fake mvn <<<'echo "[INFO] Scanning"; echo "[ERROR] Could not transfer artifact: Unknown host"; exit 1'
wrapper -v
is "$status" 1 'where nothing can be fetched it fails'
like "$err" $'\n''mvnw: fetching Maven 3.9.99 .*: Could not transfer artifact: Unknown host\. Check [^'$'\n'']*$' 'in one line with what answered'
is "$(ls "$dists")" '' 'and leaves nothing'

sandbox_create_wrapper
sandbox_without mvn
wrapper -v
like "$status $err" '^1 mvnw: .* no mvn was found .*Install maven' 'without any mvn it says what to install'

# None goes on before all three have started to fetch.
sandbox_create_wrapper
sandbox_fake mvn <<'END'
echo started >>"$CALLS"
for argument; do case $argument in -DoutputDirectory=*) folder=${argument#*=} ;; esac; done
until (($(grep -c started "$CALLS") >= 3)); do sleep 0.02; done
cp "$HOME/../maven.tar.gz" "$folder/apache-maven-bin.tar.gz"
END
for run in 1 2 3; do
  env -i PATH="$sandbox/bin" HOME="$sandbox/home" CALLS="$calls" "$checkout/mvnw" "run $run" >"$sandbox/out$run" 2>/dev/null &
done
wait
is "$(cat "$sandbox"/out[123])" $'pinned run 1\npinned run 2\npinned run 3' 'three at once all run'
is "$(ls "$dists")" "threadclock-maven-3.9.99-${sha512:0:12}" 'and leave one Maven'

done_testing
