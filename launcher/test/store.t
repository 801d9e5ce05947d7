#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
readonly one_line='threadclock: [^'$'\n'']*$'

in_store() {
  find "$sandbox/home/.cache/threadclock" -mindepth 1 -maxdepth 1 ! -name lock -printf '%f\n' 2>/dev/null | sort | tr '\n' ' '
}
is_in_store_alone() { # sentence
  like "$(in_store)" '^jdk-8 jdk-8\.[^. ]+ $' "$1"
}

sandbox_create
sandbox_fake_archive
home=$sandbox/home/.cache/threadclock/jdk-8/home
sandbox_run jdks --jdks=8,17
is "$status $out" "0 $home"$'\n'"$sandbox/jdk 17" 'a JDK that is not here is fetched; one that is here is taken'
is_in_store_alone 'nothing else stays in the store'
is "$(sandbox_calls ' install ')" 0 'nothing is installed'
is "$(sandbox_calls '^deb .*http://mirror/debian/ sid main$')" 1 "it comes from the archive of Debian that this machine's apt names"
is "$(sandbox_calls '^Acquire::http::Proxy') $(sandbox_calls 'Post-Invoke')" '1 0' "with apt's proxy, without its hooks"
is "$(sandbox_calls 'download openjdk-8-jre-headless libc6 ')" 1 'with the C library that it needs'
is "$(sandbox_calls "patchelf --set-interpreter $sandbox/home/.cache/threadclock/jdk-8\\.[^.]*/usr/lib/x/ld-linux-x86-64.so.2 .*/bin/java")" 1 \
  'to which java is bound'
is "$(cat "$home/conf/net.properties")" setting "Debian's settings come along"

sandbox_forget_calls
sandbox_run jdks --jdks=8
is "$status $(sandbox_calls 'apt-get|patchelf')" '0 0' 'a second start fetches nothing'

rm "$home/bin/java"
sandbox_run jdks --jdks=8
is "$status $out $([[ -x $home/bin/java ]] && echo mended)" "0 $home mended" 'a JDK that does not start any more is fetched again'
is_in_store_alone 'and the broken one is gone'

former=$(readlink "${home%/home}")
sandbox_run jdks --jdks=8 --refresh
is "$status $([[ $(readlink "${home%/home}") != "$former" ]] && echo another)" '0 another' '--refresh fetches it anew'
mkdir "${home%8/home}11.abcdef"
sandbox_run jdks --jdks=8 --refresh
is_in_store_alone 'and clears away what a killed launcher has left'

printf '#!/bin/bash\n[[ $1 == --is-cached ]] || echo "Maven on $THREADCLOCK_JDKS" >>"$CALLS"\n' >"$checkout/mvnw"
sandbox_run test --java --jdks=17,8
is "$(sandbox_calls "^Maven on $home:$sandbox/jdk 17\$")" 1 'the Java tests are told of exactly the JDKs that were asked for'
like "$out" $'the agent was tested on JDK 8, 17\ntests: ' 'and the last lines say which'
sandbox_run test --java
is "$(sandbox_calls "^Maven on $sandbox/jdk 17\$")" 1 'without --jdks nothing changes'
sandbox_run test --checks --jdks=8
is "$status" 2 'JDKs for a part without Java tests are a usage error'

sandbox_create
sandbox_fake_archive
sandbox_run jdks --jdks=27
sandbox_run jdks
is "$status $(in_store | tr ' ' '\n' | grep -cE '^jdk-(8|11|21|25|26|28)$')" '0 6' \
  'all are those of the agent and the newest that Debian has, but those that are here'
sandbox_forget_calls
sandbox_run jdks --jdks=newest,17
is "$status $(xargs <<<"${out//$sandbox\//}")" "0 jdk 17 home/.cache/threadclock/jdk-28/home" 'newest is the newest that Debian has, beside others'
sandbox_run demo --jdks=all --quick
is "$status $(sandbox_calls '^java .*Demo --quick --jdks=17,21,25,26,28$')" '0 1' 'the demo is told what all are, from 17 on'
is "$(sandbox_calls apt-get)" 0 'and the newest is remembered, whatever else was fetched'
for wrong in --jdks=8 --jdks=x --jdks= --jdks; do
  sandbox_run demo "$wrong"
  is "$status" 2 "demo $wrong is a usage error"
done
sandbox_run jdks --jdks=12
like "$status $err" '^1 .*failed: Debian sid has no JDK 12; it has 8, 11, 17, ' 'a JDK that Debian does not have is named, with those that it has'

sandbox_create
sandbox_fake_archive
as_user=(env THREADCLOCK_MIRROR=http://other/ "THREADCLOCK_CACHE=$sandbox/else where")
sandbox_run jdks --jdks=8
is "$out $(sandbox_calls '^deb .*http://other/ sid main$')" "$sandbox/else where/jdk-8/home 1" 'folder and mirror can be named'
as_user=(env "THREADCLOCK_CACHE=$sandbox/a:b")
sandbox_run jdks --jdks=8
like "$status $err" "^1 $one_line" 'a folder that cannot be is refused in one line'
as_user=()

sandbox_create
sandbox_fake_archive
sed -i "s|^readonly FETCH_KEYRING=.*|readonly FETCH_KEYRING='$sandbox/home/keyring'|" "$checkout/launcher/fetch.sh"
sandbox_run jdks --jdks=8
like "$status $err" "^1 $one_line" "without the keyring of Debian's archive nothing is fetched, whoever else apt trusts"
like "$err" 'home/keyring\.gpg cannot be read, .*debian-archive-keyring' 'and the package that has it is named'
is "$(sandbox_calls 'apt-get.* (update|download)')" 0 'nor is anything asked for'
touch "$sandbox/home/keyring.pgp"
sandbox_run jdks --jdks=8
is "$status $(sandbox_calls "^deb \\[signed-by=$sandbox/home/keyring.pgp\\] http://mirror/debian/ sid main\$")" '0 1' 'its name in newer releases is known, too'

sandbox_create
sandbox_fake_archive
sandbox_run jdks --jdks=8
is "$(sandbox_calls '^Acquire::Check-Valid-Until')" 0 'lists that have expired are refused'
is "$(sandbox_calls '^Acquire::Allow[A-Za-z]* "false"')" 3 'and unsigned ones'
sandbox_fake apt-config <<<"echo 'Acquire::Check-Valid-Until \"false\";'"
sandbox_forget_calls
sandbox_run jdks --jdks=8 --refresh
is "$(sandbox_calls '^Acquire::Check-Valid-Until "false"')" 1 "unless this machine's apt takes them"

sandbox_create
sandbox_fake_archive
: >"$sandbox/home/targets"
echo '! grep -q http://packages/ "${APT_CONFIG%/*}/sources.list" || exit 100' >"$sandbox/home/on-update"
sandbox_run jdks --jdks=8
is "$status $(sandbox_calls '^deb ')" '0 2' 'where apt has no lists, its sources are tried in turn, those about security left out'

sandbox_create
sandbox_fake_archive
echo 'exit 100' >"$sandbox/home/on-update"
sandbox_run jdks --jdks=8
like "$status $err" "^1 $one_line" 'without a network it fails in one line'
like "$err" 'failed: none of http://mirror/debian/ gave .* Check the network .*/fetch-jdks\.log$' 'that says what to do'
is "$(in_store)" '' 'and leaves nothing'

sandbox_create
sandbox_fake_archive
echo 'exit 1' >"$sandbox/home/on-java"
sandbox_run jdks --jdks=8
like "$status $err" '^1 .*its first start, ended with status 1' 'a JDK that does not start is an error'
is "$(in_store)" '' 'and does not come into the store'

sandbox_create
sandbox_fake_archive
sandbox_without patchelf
sandbox_run jdks --jdks=8
like "$status $err" '^1 threadclock: missing here: patchelf, .* Run: apt-get install patchelf$' 'without patchelf and root the package is named'
sandbox_without apt-get
sandbox_run jdks --jdks=8
like "$status $err" '^1 threadclock: JDK 8: not here, and without apt-get [^'$'\n'']*THREADCLOCK_JDKS\.$' 'without apt-get it says so in one line'

done_testing
