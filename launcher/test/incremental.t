#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create

built() { # sentence, runs of compiler and of Maven that are expected
  sandbox_forget_calls
  sandbox_run build
  is "$status $err $(sandbox_calls '^compiled') $(sandbox_calls '^mvnw')" "0  $2" "$1"
}

main=$checkout/threadclock-lab/src/main/java/Main.java
built 'the first start, in a checkout whose path has spaces, compiles C and runs Maven' '1 1'
is "$out" "$checkout/threadclock-native/build/libthreadclock.so" 'it prints where the library is'
built 'a second start with nothing changed runs neither, and says nothing' '0 0'
is "$(sandbox_calls '^java')" 0 'nor a JVM'
echo 'class Main {}' >"$main"
built 'a changed source runs Maven' '0 1'
touch -d '2001-01-01' "$main"
built 'an older source, as another branch may have it, runs Maven' '0 1'
touch "$checkout/threadclock-lab/src/main/java/Other.java"
built 'a new source runs Maven' '0 1'
is "$(sandbox_calls 'mvnw .* clean ')" 0 'without cleaning'
rm "$checkout/threadclock-lab/src/main/java/Other.java"
built 'a deleted source runs Maven' '0 1'
is "$(sandbox_calls 'mvnw .* clean ')" 1 'and cleans, because its class would stay'
rm -r "$checkout/threadclock-lab/target"
built 'deleted outputs run Maven' '0 1'
sandbox_fake_jdk 21.0.1 "$sandbox/jdk 21"
jdks="$sandbox/jdk 21"
built 'another JDK runs Maven' '0 1'
echo '// changed' >"$checkout/threadclock-native/src/clock.c"
built 'a changed C source runs the compiler, and Maven, which packs the library into a jar' '1 1'

echo 'class Main { int broken }' >"$main"
mvnw_status=1
echo '[ERROR] Main.java:[1,24] expected ;' >"$checkout/surefire.log"
sandbox_run build
like "$status $err" '^1 .*expected ;'$'\n''.*java-build\.log' 'a failed build fails, with the last lines of its log and where the rest is'
echo '[ERROR] Plugin x: Could not transfer artifact a:b:jar:1 from/to m: Unknown host m @ line 4 -> [Help 1]' >"$checkout/surefire.log"
sandbox_run build
like "$status $err" '^1 threadclock: [^'$'\n'']*Could not transfer artifact a:b:jar:1 from/to m: Unknown host m\. Check the network [^'$'\n'']*$' \
  'what Maven could not fetch is said in one line'
mvnw_status=0
built 'a failed build is not taken for done' '0 1'

compiler='no-such-compiler'
sandbox_run doctor 77
is "$status $err" '0 ' 'with nothing to build, a command needs no compiler, whatever CC is'
compiler=

exec {lock}>>"$checkout/.build/lock"
flock "$lock"
for command in 'doctor 77' 'run -- true'; do
  sandbox_run $command
  is "$status $err" '0 ' "while another one works in this checkout and nothing is to be built, $command does not wait"
done
echo 'class Main {}' >"$main"
sandbox_start build
until [[ -s $sandbox/err ]] || ! kill -0 "$launcher" 2>/dev/null; do sleep 0.02; done
flock -u "$lock" && exec {lock}>&-
sandbox_wait
like "$status $err" '^0 .*another ./threadclock .* waiting' 'while another one builds it says that it waits, and then goes on'

printf '#!/bin/bash\ntouch "$TMPDIR/../measuring"\nuntil [[ -e $TMPDIR/../enough ]]; do sleep 0.02; done\n' >"$sandbox/jdk 21/bin/java"
rm "$checkout/surefire.log"
sandbox_start demo
demo=$launcher
until [[ -e $sandbox/tmp/measuring ]] || ! kill -0 "$demo" 2>/dev/null; do sleep 0.02; done
sandbox_run build
is "$status $err" '0 ' 'a build does not wait for a demo that measures'
touch "$sandbox/tmp/enough"
wait "$demo"

done_testing
