#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is installed on a machine, by whom, and which of its JDKs is the one to build with.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

sandbox_create
sandbox_fake_apt
sandbox_fake id <<<'echo 1000'
rm "$sandbox/bin/gcc" "$sandbox/bin/prove"
sandbox_run test --native
like "$status $(sandbox_calls apt-get) $err" '^1 0 threadclock: missing here: [^'$'\n'']* Run: apt-get install gcc libc6-dev perl$' \
  'without root and sudo one line names the packages, and nothing is installed'
sandbox_fake sudo <<<'echo "sudo $*" >>"$CALLS"; [[ $1 != -n ]] || shift; exec "$@"'
sandbox_run build
is "$status $(sandbox_calls '^apt-get ') $(sandbox_calls '^sudo -n env .* apt-get ') $(sandbox_calls '^apt-get .*--no-install-recommends (--download-only )?gcc libc6-dev front')" \
  '0 3 3 2' 'a user of sudo gets exactly what the command needs, through sudo alone'
sandbox_forget_calls
sandbox_run build
is "$status $(sandbox_calls 'apt-|sudo')" '0 0' 'with nothing missing apt is not called, not even to update'
compiler='no-such-compiler -m32'
sandbox_run build
like "$status $(sandbox_calls apt-get) $err" '^1 0 threadclock: CC=no-such-compiler -m32 does not compile ' 'a CC that does not compile is not replaced by another'
compiler='' jdks="$sandbox/jdk 17:$sandbox/nothing"
sandbox_run build
like "$status $(sandbox_calls apt-get) $err" "^1 0 threadclock: THREADCLOCK_JDKS names $sandbox/nothing: " 'nor is a JDK that is named'

# ---- JDKs ----

export CALLS=$calls HOME=$sandbox/home
state=$sandbox store=$sandbox THREADCLOCK_JDKS=
source "$launcher_source/launcher/job.sh"
source "$launcher_source/launcher/jdk.sh"
for version in 1.8.0_402 25.0.3 28-ea; do
  sandbox_fake_jdk "$version" "$sandbox/$version"
done
sandbox_fake_jdk 21.0.1 "$sandbox/jre"
rm "$sandbox/jre/include/jvmti.h"
sandbox_fake_jdk 0 "$sandbox/mute" 'echo openjdk version \"11.0.2\" 2019-01-15 >&2'
rm "$sandbox/mute/release"
is "$(for home in 1.8.0_402 'jdk 17' 28-ea mute; do jdk_feature "$sandbox/$home" && echo; done | xargs)" '8 17 28 11' \
  'the feature version is that of the release file, or else of java -version'
for row in 'jdk 17,25.0.3,28-ea,1.8.0_402|25.0.3' '28-ea,jdk 17|jdk 17' '28-ea,1.8.0_402|28-ea' 'jre,jdk 17,nothing|jdk 17' '1.8.0_402,jre|'; do
  jdk_homes() { tr ',' '\n' <<<"${row%|*}" | sed "s|^|$sandbox/|"; }
  jdk_find
  home=$(jdk_build_home) expected=${row#*|}
  is "${home#"$sandbox/"}" "$expected" "of ${row%|*} the build takes ${expected:-none}"
done

done_testing
