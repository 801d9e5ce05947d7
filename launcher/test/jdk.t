#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which JDK of a machine is the one to build with.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
export CALLS=$calls HOME=$sandbox/home
state=$sandbox store=$sandbox THREADCLOCK_JDKS=
source "$launcher_source/launcher/job.sh"
source "$launcher_source/launcher/jdk.sh"

sandbox_fake_jdk 1.8.0_402 "$sandbox/jdk 8"
sandbox_fake_jdk 25.0.3 "$sandbox/jdk 25"
sandbox_fake_jdk 28-ea "$sandbox/jdk 28"
sandbox_fake_jdk 21.0.1 "$sandbox/jre 21"
rm "$sandbox/jre 21/include/jvmti.h"
sandbox_fake_jdk 0 "$sandbox/mute" 'echo openjdk version \"11.0.2\" 2019-01-15 >&2'
rm "$sandbox/mute/release"
ln -s "$sandbox/jdk 17" "$sandbox/default"

is "$(for home in 'jdk 17' 'jdk 8' 'jdk 28'; do jdk_feature "$sandbox/$home" && echo; done | xargs) $(sandbox_calls java)" '17 8 28 0' \
  '17.0.9, 1.8.0_402 and 28-ea are 17, 8 and 28, by their release files'
is "$(jdk_feature "$sandbox/mute")" 11 'without a release file java -version answers'

# Of these, without this machine's own.
builds_with() { # homes separated by commas, the one that is expected, sentence
  mapfile -t homes < <(tr ',' '\n' <<<"$1" | sed "s|^|$sandbox/|")
  jdk_homes() { printf '%s\n' "${homes[@]}"; }
  jdk_find
  is "$(jdk_build_home || printf '%s' "$sandbox/none")" "$sandbox/$2" "$3"
}
builds_with 'jdk 17,jdk 25,jdk 28,jdk 8' 'jdk 25' 'the build takes the newest JDK that Maven is known to run on'
builds_with 'jdk 28,jdk 17' 'jdk 17' 'a JDK beyond that does not come first'
builds_with 'jdk 28,jdk 8' 'jdk 28' 'but it serves where there is no other'
builds_with 'jdk 8' none 'a JDK older than 17 does not serve'
builds_with 'jre 21,jdk 17' 'jdk 17' 'nor does a runtime without headers'
builds_with 'default,jdk 17,nothing' 'jdk 17' 'a folder without java is none'
is "${#jdk_rows[@]}" 1 'and two paths to one home are one JDK'

used() {
  sandbox_run build
  sed -n 's/^JAVA_HOME\t//p' "$checkout/.build/java.stamp"
}
java_home="$sandbox/jdk 25" jdks=''
is "$(used)" "$sandbox/jdk 25" 'JAVA_HOME is searched'
jdks="$sandbox/jdk 17"
is "$(used)" "$sandbox/jdk 17" 'THREADCLOCK_JDKS overrides the search'
sandbox_fake_apt
for row in "jdk 17:$sandbox/nothing| names $sandbox/nothing: " "jdk 8|=$sandbox/jdk 8 has no JDK 17 or newer "; do
  jdks=$sandbox/${row%%|*}
  sandbox_run build
  like "$status $err $(sandbox_calls apt-get)" "^1 threadclock: THREADCLOCK_JDKS${row##*|}[^"$'\n'"]* 0\$" \
    'THREADCLOCK_JDKS without a JDK to build with is refused in one line, and nothing is installed in its place'
done

done_testing
