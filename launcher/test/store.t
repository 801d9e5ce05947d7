#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDKs that are fetched from Debian into the store.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

in_store() {
  find "$sandbox/home/.cache/threadclock" -mindepth 1 -maxdepth 1 ! -name lock -printf '%f\n' 2>/dev/null | sort | sed 's/\.......$/.X/' | xargs
}

fails() { # regular expression, sentence
  sandbox_run jdks --jdks=8
  like "$status $err" "^1 (.*"$'\n'")?threadclock: [^"$'\n'"]*$1[^"$'\n'"]*\$" "$2 it fails in one line that says what to do"
  is "$(in_store)" '' 'and leaves nothing'
}

sandbox_create
sandbox_fake_archive
home=$sandbox/home/.cache/threadclock/jdk-8/home
echo 'exit 100' >"$sandbox/home/on-update"
fails 'failed: none of http://mirror/debian/ gave .* Check the network .*/fetch-jdks\.log' 'without a network'
rm "$sandbox/home/on-update"
sandbox_forget_calls
sed -i.kept "s|^readonly FETCH_KEYRING=.*|readonly FETCH_KEYRING='$sandbox/home/keyring'|" "$checkout/launcher/fetch.sh"
fails 'home/keyring\.gpg cannot be read, .*debian-archive-keyring.*' "without the keyring of Debian's archive, whoever else apt trusts,"
is "$(sandbox_calls 'apt-get.* (update|download)')" 0 'before anything is asked for'
mv "$checkout/launcher/fetch.sh.kept" "$checkout/launcher/fetch.sh"

sandbox_run jdks --jdks=8,17
is "$status $out" "0 $home"$'\n'"$sandbox/jdk 17" 'a JDK that is not here is fetched; one that is here is taken'
is "$(in_store) $(sandbox_calls ' install ')" 'jdk-8 jdk-8.X 0' 'nothing else stays in the store, and nothing is installed'
is "$(sandbox_calls '^deb \[signed-by=[^]]*\] http://mirror/debian/ sid main$')" 1 "it comes from the archive of Debian that this machine's apt names, by Debian's keys"
is "$(sandbox_calls '^Acquire::http::Proxy') $(sandbox_calls 'Post-Invoke') $(sandbox_calls '^Acquire::Allow[A-Za-z]* "false"')" '1 0 3' \
  "with apt's proxy, without its hooks, and never from unsigned lists"
sandbox_forget_calls
sandbox_run jdks --jdks=8
is "$status $(sandbox_calls 'apt-get|patchelf')" '0 0' 'a second start fetches nothing'
former=$(readlink "${home%/home}")
rm "$home/bin/java"
mkdir "${home%8/home}11.abcdef"
sandbox_run jdks --jdks=8
is "$status $([[ $(readlink "${home%/home}") != "$former" ]] && echo 1) $(in_store)" '0 1 jdk-8 jdk-8.X' \
  'a JDK that does not start any more is fetched again; it is gone, and so is what a killed launcher has left'

printf '#!/bin/bash\n[[ $1 == --is-cached ]] || echo "Maven on $THREADCLOCK_JDKS" >>"$CALLS"\n' >"$checkout/mvnw"
sandbox_run test --java --jdks=17,8
is "$(sandbox_calls "^Maven on $home:$sandbox/jdk 17\$")" 1 'the Java tests are told of exactly the JDKs that were asked for'
like "$out" $'the agent was tested on JDK 8, 17\ntests: ' 'and the last lines say which'
sandbox_run demo --jdks=newest --quick
is "$status $(sandbox_calls '^java .*Demo --quick --jdks=28$')" '0 1' 'newest is the newest that Debian has, which the demo is told'

done_testing
