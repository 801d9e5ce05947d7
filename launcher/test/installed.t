#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command of the archive, which has a launcher of its own, with a stand-in for Java.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
mkdir -p "$sandbox/opt/bin"
cp "$launcher_source/threadclock-cli/src/main/sh/threadclock" "$sandbox/opt/bin/"
chmod +x "$sandbox/opt/bin/threadclock"
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'printf "<%s>" "$@"; env >"$CALLS.env"'

installed_run() { # arguments…
  (cd -- "$sandbox/opt/bin" && env -i PATH="$sandbox/bin" CALLS="$calls" JAVA_HOME="$sandbox/jdk 17" "${as_user[@]}" ./threadclock "$@") \
    >"$sandbox/out" 2>"$sandbox/err" </dev/null
  status=$?
  out=$(<"$sandbox/out")
}

installed_run help record
is "$status" 0 'the command of the archive starts its program'
like "$out" "<-cp><$sandbox/opt/lib/\\*><io\\.threadclock\\.cli\\.ThreadClockCommand><help><record>\$" 'with the words that it was given'

as_user=(env THREADCLOCK_JAVA_OPTIONS=-Djavax.net.ssl.trustStore=/etc/my.jks THREADCLOCK_OPTS=' -Dall=*' JAVA_TOOL_OPTIONS=-Dx=y)
installed_run record 'a b'
like "$out" '<-Djavax\.net\.ssl\.trustStore=/etc/my\.jks><-Dall=\*><io\.threadclock\.cli\.ThreadClockCommand><record><a b>$' \
  'the JVM options that are meant for it are its last ones, as they are written'
unlike "$(<"$calls.env")" 'JAVA_TOOL_OPTIONS=' 'and those that are meant for other programs are not'

done_testing
