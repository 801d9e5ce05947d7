#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How the Java programs are started: those of the command line, by the checkout's launcher and by the archive's, and those that measure.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create

java_is() { # what it does
  sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" "$1"
}
readonly options=(THREADCLOCK_JAVA_OPTIONS=-Djavax.net.ssl.trustStore=/etc/my.jks THREADCLOCK_OPTS=' -Dall=*' JAVA_TOOL_OPTIONS=-Dx=y)
readonly given='-Djavax\.net\.ssl\.trustStore=/etc/my\.jks -Dall=\*'

variables=("${options[@]}")
sandbox_run attach --strict 4711
is "$status $(sandbox_calls '^compiled') $(sandbox_calls "java .* $given io\.threadclock\.cli\.ThreadClockCommand attach --strict 4711$")" '0 1 1' \
  'attach builds a fresh checkout, and starts its program with what follows; the JVM options that are meant for it are its last ones'
variables=()
java_is 'read -r line; echo "typed: $line, in $TMPDIR"'
input=$sandbox/keys
echo q >"$input"
sandbox_run top 4711
is "$out" "typed: q, in $sandbox/tmp" 'keys are for the program, and the temporary folder is what it was'
input=

# ---- run ----

java_is 'exit 2'
for wrong in '--strict java' '' '--split=even -- true'; do
  sandbox_run run $wrong
  is "$status $out" '2 ' "run $wrong is refused by the program, and starts nothing"
done
sandbox_run run -- nosuchprogram
like "$status $err" "^127 .*there is no program 'nosuchprogram'" 'a program that is not there is named, and is 127, as in a shell'

sandbox_fake program <<<'echo "ran $*"; env; exit 42'
for arguments in '-- program --help -- a' 'program --help -- a'; do
  sandbox_run run $arguments
  like "$status $out" "^42 ran --help -- a"$'\n'"(.*"$'\n'")?TMPDIR=$sandbox/tmp("$'\n'"|$)" "run $arguments: status, arguments and temporary folder are the program's own"
done
unlike "$out" 'JAVA_HOME=|THREADCLOCK_LIBRARY=' 'nothing is put into its environment'
java_is 'env >"$CALLS.env"; echo ready'
variables=(JAVA_TOOL_OPTIONS=-Dx=y GLIBC_TUNABLES=glibc.malloc.check=1:glibc.pthread.rseq=1 LC_ALL=C)
for row in '--strict|1' '--without-libc-rseq|0'; do
  sandbox_run run "${row%|*}" -- program
  is "$(grep -cxE "JAVA_TOOL_OPTIONS=-Dx=y|GLIBC_TUNABLES=glibc\.malloc\.check=1:glibc\.pthread\.rseq=${row#*|}" <<<"$out") $(grep -c JAVA_TOOL "$calls.env")" '2 0' \
    "${row%|*}: it has the options that are meant for its JVM, what attaches to it has not; of its tunables, rseq is ${row#*|}"
done
is "$(grep -h '^LC_ALL=' "$calls.env") $(grep '^LC_ALL=' <<<"$out")" 'LC_ALL=C.UTF-8 LC_ALL=C' \
  'in the locale C our JVM has a charset in which it can name every file, and the program its own'
variables=()

sandbox_fake_jdk 25.0.3 "$sandbox/jdk 25" 'echo ready'
java_is 'echo ready'
sandbox_run run --virtual -- program -x
like "$out $err" "^ran -x.*'program' is not java.*-XX:-DoJVMTIVirtualThreadTransitions" '--virtual leaves a program that is not java as it is, and says what its JVM would need'
sandbox_fake_jdk 26.0.2 "$sandbox/jdk 26" 'echo ready'
for row in '26|--virtual|-XX:\+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions |is given the options first' \
  '17|--virtual||of an older JDK does not know them and is not given them' \
  '25|--virtual||of JDK 25, whose virtual threads can hang with them, is not given them' '26|||is not given them unasked'; do
  IFS='|' read -r feature option expected sentence <<<"$row"
  sandbox_forget_calls
  sandbox_run run $option -- "$sandbox/jdk $feature/bin/java" -jar 'a b.jar'
  is "$(sandbox_calls "^java $expected-jar a b\.jar\$")" 1 "java $sentence"
done
java_is 'case $* in *--from-start*) echo "ready -agentpath:/a b/libthreadclock.so=virtual" ;; *) echo ready ;; esac'
for row in '26|-XX:\+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions |is given the agent from the start' \
  '25||of JDK 25, too'; do
  IFS='|' read -r feature expected sentence <<<"$row"
  sandbox_forget_calls
  sandbox_run run --virtual -- "$sandbox/jdk $feature/bin/java" -jar 'a b.jar'
  is "$(sandbox_calls "^java $expected-agentpath:/a b/libthreadclock.so=virtual -jar a b\.jar\$")" 1 "java $sentence"
done
java_is 'echo ready'
sandbox_run run --virtual -- "$sandbox/jdk 25/bin/java"
like "$err" 'java is of JDK 25 and is started as it is: each switch of its virtual threads will take some 165 to 350 ns longer' 'and what that costs is said'
unlike "$err" DoJVMTIVirtualThreadTransitions 'without advising them'

# ---- the archive's own launcher ----

mkdir -p "$sandbox/opt/bin"
sed "s,/usr/lib/jvm,$sandbox/none," "$launcher_source/cli/src/main/sh/threadclock" >"$sandbox/opt/bin/threadclock"
chmod +x "$sandbox/opt/bin/threadclock"
java_is 'printf "<%s>" "$@"; env >"$CALLS.env"'
installed() { # words…: by the command of the archive
  (cd -- "$sandbox/opt/bin" && env -i PATH="$sandbox/bin" CALLS="$calls" JAVA_HOME="$sandbox/jdk 17" "${options[@]}" ./threadclock "$@" 2>&1)
}
questdb='<-XX:\+IgnoreUnrecognizedVMOptions><-XX:-UseCompactObjectHeaders><--sun-misc-unsafe-memory-access=allow>'
like "$(installed record 'a b') $(grep -c JAVA_TOOL "$calls.env")" \
  "<-cp><$sandbox/opt/lib/\\*>$questdb<${given/ /><}><io\\.threadclock\\.cli\\.ThreadClockCommand><record><a b> 0\$" \
  'the command of the archive starts the same program, without the options that are meant for others'
unlike "$(installed top 7)" "$questdb" "what QuestDB's JVM is given, top's is not"
sandbox_fake_jdk 25.0.3 "$sandbox/jdk 25" 'echo "by the whole one"'
ln -s "$sandbox/jdk 25/bin/java" "$sandbox/bin/java"
echo 'MODULES="java.base java.management"' >>"$sandbox/jdk 17/release"
like "$(installed attach 7)" '<attach><7>$' 'a runtime that jlink has made serves a command that needs no more'
is "$(installed export 7)" 'by the whole one' 'and is passed over for another one'
rm "$sandbox/bin/java"
like "$(installed export 7)" 'all modules that export needs \(.*/jdk 17/bin/java lacks java\.logging java\.net\.http ' 'or what it lacks is named'
like "$(mkdir "$sandbox/gone" && cd "$sandbox/gone" && rmdir "$sandbox/gone" &&
  env -i PATH="$sandbox/bin" CALLS="$calls" JAVA_HOME="$sandbox/jdk 17" "$sandbox/opt/bin/threadclock" attach 7 2>&1; grep ^PWD "$calls.env")" \
  'PWD=/proc$' 'in a directory that is gone, the JVM has another one'

# ---- the programs that measure ----

java_is 'env >"$CALLS.env"'
variables=("${options[@]}")
sandbox_run bench --quick --jdks=17 -f 2 'Own.*'
is "$status $(sandbox_calls "^java .* $given -cp .*Bench --quick -f 2 Own\.\* --jdks=17$")" '0 1' 'bench is given its options, and the JVM those that are meant for it'
like "$(<"$calls.env")" $'(^|\n)THREADCLOCK_LOAD=[0-9]+\\.[0-9]+\n' 'and how busy the machine was before anything was built'
unlike "$(<"$calls.env")" '(JAVA_TOOL|JDK_JAVA)_OPTIONS=' 'and the JVMs that it measures have no options from the environment'

done_testing
