#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
sandbox_fake_module threadclock-cli
ln -sf "$(type -P env)" "$sandbox/bin/env"

sandbox_run attach --strict 4711
is "$status" 0 'attach starts the program'
like "$(<"$calls")" 'java [^'$'\n'']*io\.threadclock\.cli\.ThreadClockCommand attach --strict 4711' 'with its own name and what follows'
is "$(sandbox_calls '^compiled')" 1 'a fresh checkout is built first'

sandbox_forget_calls
as_user=(env THREADCLOCK_JAVA_OPTIONS=-Djavax.net.ssl.trustStore=/etc/my.jks THREADCLOCK_OPTS=' -Xmx1g' JAVA_TOOL_OPTIONS=-Dx=y)
sandbox_run record 4711
like "$(<"$calls")" 'java [^'$'\n'']* -Djavax\.net\.ssl\.trustStore=/etc/my\.jks -Xmx1g io\.threadclock\.cli\.ThreadClockCommand record' \
  'the JVM options that are meant for it are its last ones'
as_user=()

# shellcheck disable=SC2016
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'read -r line; echo "typed: $line, in $TMPDIR"'
echo q >"$sandbox/keys"
input=$sandbox/keys
sandbox_run top 4711
like "$out" '^typed: q, in '"$sandbox/tmp$" 'keys are for the program, and the temporary folder is what it was'
input=
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17"

sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'exit 2'
sandbox_run run --strict java
is "$status $(sandbox_calls 'ThreadClockCommand run --strict java$')" '2 1' 'options of run without -- are refused by the program'
sandbox_run run
is "$status $(sandbox_calls 'ThreadClockCommand run --$')" '2 1' 'so is run without a program'
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17"

sandbox_run run -- nosuchprogram
is "$status" 127 'a program that is not there is 127, as in a shell'
like "$err" "there is no program 'nosuchprogram'" 'and is named'

sandbox_fake program <<<'echo "ran $*"; env; exit 42'
sandbox_run run -- program --help -- 'a b'
is "$status" 42 'the status of run is that of the program'
like "$out" '^ran --help -- a b' "the program's arguments are its own, --help and -- among them"
like "$out" "(^|"$'\n'")TMPDIR=$sandbox/tmp("$'\n'"|$)" 'its temporary folder is its own'
unlike "$out" 'JAVA_HOME=|THREADCLOCK_LIBRARY=' 'nothing is put into its environment'

sandbox_run run program
is "$status" 42 'without options -- may be left out'

sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'exit 2'
sandbox_run run --window=1s -- program
is "$status $out" '2 ' 'a wrong option starts nothing'

sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'env >"$CALLS.env"; echo ready'
as_user=(env JAVA_TOOL_OPTIONS=-Dx=y)
sandbox_run run --strict -- program
is "$status" 42 'a right one starts the program'
like "$out" 'JAVA_TOOL_OPTIONS=-Dx=y' 'which has the options that are meant for its JVM'
like "$(<"$calls.env")" 'THREADCLOCK_LIBRARY=' 'what attaches to it knows the library'
unlike "$(<"$calls.env")" 'JAVA_TOOL_OPTIONS=' "and has none of the program's options"

sandbox_run run --without-libc-rseq -- program
like "$out" '(^|'$'\n'')GLIBC_TUNABLES=glibc\.pthread\.rseq=0('$'\n''|$)' '--without-libc-rseq switches it off in the program'
unlike "$(<"$calls.env")" 'GLIBC_TUNABLES=' 'and not in what attaches to it'

as_user=(env GLIBC_TUNABLES=glibc.malloc.check=1:glibc.pthread.rseq=1:glibc.cpu.x=y)
sandbox_run run --without-libc-rseq --verbose -- program
like "$out" 'GLIBC_TUNABLES=glibc\.malloc\.check=1:glibc\.cpu\.x=y:glibc\.pthread\.rseq=0('$'\n''|$)' 'the other tunables stay'

sandbox_run run --verbose -- program
like "$out" 'GLIBC_TUNABLES=glibc\.malloc\.check=1:glibc\.pthread\.rseq=1:glibc\.cpu\.x=y' 'unasked, they stay as they are'

as_user=()
sandbox_fake_jdk 25.0.3 "$sandbox/jdk 25" 'echo ready'
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" 'echo ready'
sandbox_run run --virtual -- program -x
like "$out" '^ran -x' '--virtual leaves a program that is not java as it is'
like "$err" "'program' is not java.*-XX:-DoJVMTIVirtualThreadTransitions" 'and says what its JVM would need'
sandbox_forget_calls
sandbox_run run --virtual -- "$sandbox/jdk 25/bin/java" -jar 'a b.jar'
is "$(sandbox_calls '^java -XX:\+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions -jar a b.jar$')" 1 'java of a JDK with virtual threads is given the options first'
like "$err" 'debuggers and other native agents see no events' 'and what is lost by them is said'
sandbox_forget_calls
sandbox_run run --virtual -- "$sandbox/jdk 17/bin/java" -jar a.jar
is "$(sandbox_calls '^java -jar a.jar$')" 1 'an older one does not know them and is not given them'
sandbox_forget_calls
sandbox_run run -- "$sandbox/jdk 25/bin/java" -jar a.jar
is "$(sandbox_calls '^java -jar a.jar$') $err" '1 ' 'without --virtual java is not given them either'

done_testing
