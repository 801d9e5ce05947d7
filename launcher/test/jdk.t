#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
export CALLS=$calls HOME=$sandbox/home
state=$sandbox store=$sandbox
source "$launcher_source/launcher/job.sh"
source "$launcher_source/launcher/jdk.sh"

# Runs the search without this machine's own folders.
find_jdks_in() { # homes…
  homes=("$@")
  jdk_homes() { printf '%s\n' "${homes[@]}"; }
  jdk_find
}

build_home() {
  jdk_build_home || printf 'none'
}

THREADCLOCK_JDKS=
sandbox_fake_jdk 1.8.0_402 "$sandbox/jdk 8"
sandbox_fake_jdk 25.0.3 "$sandbox/jdk 25"
sandbox_fake_jdk 28-ea "$sandbox/jdk 28"
sandbox_fake_jdk 21.0.1 "$sandbox/jre 21"
rm "$sandbox/jre 21/include/jvmti.h"

is "$(jdk_feature "$sandbox/jdk 17")" 17 '17.0.9 has feature version 17'
is "$(jdk_feature "$sandbox/jdk 8")" 8 '1.8.0_402 has feature version 8'
is "$(jdk_feature "$sandbox/jdk 28")" 28 '28-ea has feature version 28'
is "$(sandbox_calls java)" 0 'a release file is enough: no JVM is started'

sandbox_fake_jdk 0 "$sandbox/mute" 'echo openjdk version \"11.0.2\" 2019-01-15 >&2'
rm "$sandbox/mute/release"
is "$(jdk_feature "$sandbox/mute")" 11 'without a release file java -version answers'

find_jdks_in "$sandbox/jdk 17" "$sandbox/jdk 25" "$sandbox/jdk 28" "$sandbox/jdk 8"
is "$(build_home)" "$sandbox/jdk 25" 'the build takes the newest JDK that Maven is known to run on'
find_jdks_in "$sandbox/jdk 28" "$sandbox/jdk 17"
is "$(build_home)" "$sandbox/jdk 17" 'a JDK beyond that does not come first'
find_jdks_in "$sandbox/jdk 28" "$sandbox/jdk 8"
is "$(build_home)" "$sandbox/jdk 28" 'but it serves where there is no other'
find_jdks_in "$sandbox/jdk 8"
is "$(build_home)" none 'a JDK older than 17 does not serve'
find_jdks_in "$sandbox/jre 21" "$sandbox/jdk 17"
is "$(build_home)" "$sandbox/jdk 17" 'a runtime without headers does not serve for the build'

ln -s "$sandbox/jdk 17" "$sandbox/default"
find_jdks_in "$sandbox/default" "$sandbox/jdk 17" "$sandbox/nothing"
is "${#jdk_rows[@]}" 1 'two paths to one home are one JDK, and a folder without java is none'

find_jdks_in "$sandbox/jdk 17"
is "$(jdk_has_newer && echo yes)" '' '17 is not a newer JDK'
find_jdks_in "$sandbox/jdk 17" "$sandbox/jdk 25"
is "$(jdk_has_newer && echo yes)" yes '25 is a newer JDK'

java_home="$sandbox/jdk 25" jdks=''
mkdir -p "$sandbox/home/.sdkman/candidates/java"
ln -s "$sandbox/jdk 17" "$sandbox/home/.sdkman/candidates/java/17.0.9-x"
sandbox_run build
is "$(sed -n 's/^JAVA_HOME\t//p' "$checkout/.build/java.stamp")" "$sandbox/jdk 25" 'JAVA_HOME is searched'

jdks="$sandbox/jdk 17"
sandbox_run build
is "$(sed -n 's/^JAVA_HOME\t//p' "$checkout/.build/java.stamp")" "$sandbox/jdk 17" 'THREADCLOCK_JDKS overrides the search'

jdks="$sandbox/jdk 17:$sandbox/nothing"
sandbox_run build
is "$status" 1 'a home in THREADCLOCK_JDKS that holds no JDK is refused'
like "$err" "^threadclock: THREADCLOCK_JDKS names $sandbox/nothing: [^"$'\n'"]*\$" 'in one line that names it'

jdks="$sandbox/jdk 8"
sandbox_fake_apt
sandbox_run build
is "$status" 1 'THREADCLOCK_JDKS without a JDK 17 or newer is refused'
is "$(sandbox_calls apt-get)" 0 'and nothing is installed in its place'

done_testing
