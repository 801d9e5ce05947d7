#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
sandbox_fake_module threadclock-lab
# shellcheck disable=SC2016
sandbox_fake_jdk 17 "$sandbox/jdk 17" 'echo "typed $THREADCLOCK_COMMAND" >>"$CALLS"'

sandbox_run bench --quick --jdks=17 --output 'my report'
is "$status $(sandbox_calls '^java .*Bench --quick --output my report --jdks=17$')" '0 1' 'bench is given its options'
is "$(sandbox_calls "^typed '$checkout/threadclock' bench --quick --jdks=17 --output 'my report'\$")" 1 \
  'and the command as it was typed, quoted as a shell needs it'

sandbox_run soak --minutes=1 --jdks=17
is "$status $(sandbox_calls '^java .*threadclock-lab.*question\.Soak --minutes=1 --jdks=17$')" '0 1' \
  'soak is given its options'

as_user=(env THREADCLOCK_JAVA_OPTIONS=-Djavax.net.ssl.trustStore=/etc/my.jks THREADCLOCK_OPTS=' -Dall=*')
sandbox_run ingest --jvms=50
is "$status $(sandbox_calls '^java .* -Djavax\.net\.ssl\.trustStore=/etc/my\.jks -Dall=\* -cp .*question\.Ingest --jvms=50$')" '0 1' \
  'ingest is given its options, and the JVM those that are meant for it'
as_user=()

sandbox_run demo
is "$(sandbox_calls "^typed '$checkout/threadclock' demo\$")" 1 'so is the demo'

# shellcheck disable=SC2016
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'env >"$CALLS.env"'
as_user=(env JAVA_TOOL_OPTIONS=-Da=b JDK_JAVA_OPTIONS=-Dc=d _JAVA_OPTIONS=-De=f)
sandbox_run demo --quick
is "$status $(sandbox_calls '^java .*Demo --quick$')" '0 1' 'a driver is started with what follows its name'
like "$(<"$calls.env")" "THREADCLOCK_HOME=$checkout" 'it knows the checkout'
like "$(<"$calls.env")" $'(^|\n)THREADCLOCK_LOAD=[0-9]+\\.[0-9]+\n' 'and how busy the machine was before anything was built'
unlike "$(<"$calls.env")" '_OPTIONS=' 'and has no options from the environment, nor have the JVMs that it measures'

done_testing
