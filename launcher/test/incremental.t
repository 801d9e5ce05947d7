#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create

sandbox_run build
is "$status" 0 'a build in a checkout whose path has spaces succeeds'
is "$out" "$checkout/threadclock-native/build/libthreadclock.so" 'it prints where the library is'
is "$(sandbox_calls '^compiled') $(sandbox_calls '^mvnw')" '1 1' 'the first start compiles C and runs Maven'

sandbox_forget_calls
sandbox_run build
is "$(sandbox_calls '^compiled') $(sandbox_calls '^mvnw') $(sandbox_calls '^java')" '0 0 0' \
  'a second start with nothing changed runs neither the compiler nor Maven nor a JVM'
is "$err" '' 'and says nothing'

rebuilds() { # sentence
  sandbox_forget_calls
  sandbox_run build
  is "$(sandbox_calls '^mvnw')" 1 "$1"
}

main=$checkout/threadclock-lab/src/main/java/Main.java
echo 'class Main {}' >"$main"
rebuilds 'a changed source runs Maven'
touch -d '2001-01-01' "$main"
rebuilds 'an older source, as another branch may have it, runs Maven'
touch "$checkout/threadclock-lab/src/main/java/Other.java"
rebuilds 'a new source runs Maven'
is "$(sandbox_calls 'mvnw .* clean ')" 0 'without cleaning'
rm "$checkout/threadclock-lab/src/main/java/Other.java"
rebuilds 'a deleted source runs Maven'
is "$(sandbox_calls 'mvnw .* clean ')" 1 'and cleans, because its class would stay'
rm -r "$checkout/threadclock-lab/target"
rebuilds 'deleted outputs run Maven'
sandbox_fake_jdk 21.0.1 "$sandbox/jdk 21"
jdks="$sandbox/jdk 21"
rebuilds 'another JDK runs Maven'

sandbox_forget_calls
echo '// changed' >"$checkout/threadclock-native/src/clock.c"
sandbox_run build
is "$(sandbox_calls '^compiled') $(sandbox_calls '^mvnw')" '1 1' \
  'a changed C source runs the compiler, and Maven, which packs the library into a jar'

echo 'class Main { int broken }' >"$main"
mvnw_status=1
echo '[ERROR] Main.java:[1,24] expected ;' >"$checkout/surefire.log"
sandbox_run build
is "$status" 1 'a failed Maven build fails'
like "$err" 'expected ;'$'\n''.*java-build\.log' 'the last lines of its log are shown, and where the rest is'
echo '[ERROR] Plugin x: Could not transfer artifact a:b:jar:1 from/to m: Unknown host m @ line 4 -> [Help 1]' >"$checkout/surefire.log"
sandbox_run build
like "$status $err" '^1 threadclock: [^'$'\n'']*Could not transfer artifact a:b:jar:1 from/to m: Unknown host m\. Check the network [^'$'\n'']*$' \
  'what Maven could not fetch is said in one line'
mvnw_status=0
rebuilds 'a failed build is not taken for done'

exec {lock}>>"$checkout/.build/lock"
flock "$lock"
sandbox_forget_calls
sandbox_run doctor 77
is "$(sandbox_calls 'ThreadClockCommand doctor 77') $err" '1 ' \
  'while another one works in this checkout and nothing is to be built, doctor does not wait'
sandbox_run run -- true
is "$status $err" '0 ' 'nor does run'

echo 'class Main {}' >"$main"
sandbox_start build
for ((round = 0; round < 2000; round++)); do
  if [[ -s $sandbox/err ]] || ! kill -0 "$launcher" 2>/dev/null; then break; fi
  sleep 0.02
done
flock -u "$lock" && exec {lock}>&-
sandbox_wait
like "$err" 'another ./threadclock .* waiting' 'while another one builds in this checkout it says that it waits'
is "$status" 0 'and then goes on'

cat >"$sandbox/jdk 21/bin/java" <<'END'
#!/bin/bash
touch "$TMPDIR/../measuring"
for round in {1..500}; do
  [[ ! -e $TMPDIR/../enough ]] || exit 0
  sleep 0.02
done
END
rm "$checkout/surefire.log"
sandbox_start demo
demo=$launcher
until [[ -e $sandbox/tmp/measuring ]] || ! kill -0 "$demo" 2>/dev/null; do sleep 0.02; done
sandbox_run build
is "$status $err" '0 ' 'a build does not wait for a demo that measures'
touch "$sandbox/tmp/enough"
wait "$demo"

done_testing
