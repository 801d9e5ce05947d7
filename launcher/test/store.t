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
cp "$sandbox/bin/apt-get" "$sandbox/apt-get"
sandbox_without apt-get
fails 'JDK 8: not here, and without apt-get .*THREADCLOCK_JDKS\.' 'without apt-get'
mv "$sandbox/apt-get" "$sandbox/bin/apt-get"
mv "$sandbox/bin/patchelf" "$sandbox/patchelf"
fails 'missing here: patchelf, .* Run: apt-get install patchelf' 'without patchelf and root'
mv "$sandbox/patchelf" "$sandbox/bin/patchelf"
echo 'exit 100' >"$sandbox/home/on-update"
fails 'failed: none of http://mirror/debian/ gave .* Check the network .*/fetch-jdks\.log' 'without a network'
rm "$sandbox/home/on-update"
echo 'exit 1' >"$sandbox/home/on-java"
fails 'its first start, ended with status 1.*' 'with a JDK that does not start'
rm "$sandbox/home/on-java"
sandbox_forget_calls
sed -i.kept "s|^readonly FETCH_KEYRING=.*|readonly FETCH_KEYRING='$sandbox/home/keyring'|" "$checkout/launcher/fetch.sh"
fails 'home/keyring\.gpg cannot be read, .*debian-archive-keyring.*' "without the keyring of Debian's archive, whoever else apt trusts,"
is "$(sandbox_calls 'apt-get.* (update|download)')" 0 'before anything is asked for'
mv "$checkout/launcher/fetch.sh.kept" "$checkout/launcher/fetch.sh"

sandbox_run jdks --jdks=8,17
is "$status $out" "0 $home"$'\n'"$sandbox/jdk 17" 'a JDK that is not here is fetched; one that is here is taken'
is "$(in_store)" 'jdk-8 jdk-8.X' 'nothing else stays in the store'
is "$(sandbox_calls ' install ')" 0 'nothing is installed'
is "$(sandbox_calls '^deb .*http://mirror/debian/ sid main$')" 1 "it comes from the archive of Debian that this machine's apt names"
is "$(sandbox_calls '^Acquire::http::Proxy') $(sandbox_calls 'Post-Invoke') $(sandbox_calls '^Acquire::Allow[A-Za-z]* "false"')" '1 0 3' \
  "with apt's proxy, without its hooks, and never from unsigned lists"
is "$(sandbox_calls "patchelf --set-interpreter $sandbox/home/.cache/threadclock/jdk-8\\.[^.]*/usr/lib/x/ld-linux-x86-64.so.2 .*/bin/java")" 1 \
  'java is bound to the C library that is fetched with it'
is "$(cat "$home/conf/net.properties")" setting "Debian's settings come along"
sandbox_forget_calls
sandbox_run jdks --jdks=8
is "$status $(sandbox_calls 'apt-get|patchelf')" '0 0' 'a second start fetches nothing'
rm "$home/bin/java"
sandbox_run jdks --jdks=8
is "$status $([[ -x $home/bin/java ]] && echo mended) $(in_store)" '0 mended jdk-8 jdk-8.X' 'a JDK that does not start any more is fetched again, and the broken one is gone'
former=$(readlink "${home%/home}")
mkdir "${home%8/home}11.abcdef"
sandbox_run jdks --jdks=8 --refresh
is "$status $([[ $(readlink "${home%/home}") != "$former" ]] && echo another) $(in_store)" '0 another jdk-8 jdk-8.X' \
  '--refresh fetches it anew, and clears away what a killed launcher has left'

printf '#!/bin/bash\n[[ $1 == --is-cached ]] || echo "Maven on $THREADCLOCK_JDKS" >>"$CALLS"\n' >"$checkout/mvnw"
sandbox_run test --java --jdks=17,8
is "$(sandbox_calls "^Maven on $home:$sandbox/jdk 17\$")" 1 'the Java tests are told of exactly the JDKs that were asked for'
like "$out" $'the agent was tested on JDK 8, 17\ntests: ' 'and the last lines say which'
for wrong in 'test --checks --jdks=8' 'demo --jdks=8' 'demo --jdks=x' 'demo --jdks=' 'demo --jdks'; do
  sandbox_run $wrong
  is "$status" 2 "$wrong is a usage error"
done

as_user=(env THREADCLOCK_MIRROR=http://other/ "THREADCLOCK_CACHE=$sandbox/else where")
sandbox_run jdks --jdks=newest,17
is "$(sort <<<"$out" | xargs -d '\n') $(sandbox_calls '^deb .*http://other/ sid main$')" "$sandbox/else where/jdk-28/home $sandbox/jdk 17 1" \
  'folder and mirror can be named, and newest is the newest that Debian has'
sandbox_run demo --jdks=newest --quick
is "$status $(sandbox_calls '^java .*Demo --quick --jdks=28$')" '0 1' 'the demo is told which that is'
sandbox_run jdks --jdks=12
like "$status $err" '^1 .*failed: Debian sid has no JDK 12; it has 8, 11, 17, ' 'a JDK that Debian does not have is named, with those that it has'

done_testing
