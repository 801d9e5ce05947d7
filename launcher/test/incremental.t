#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is stale is not taken for built.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
sandbox_fake_jdk 21.0.1 "$sandbox/jdk 21"
main=$checkout/cli/src/main/java/Main.java other=${main/Main/Other} gone=$checkout/bench/src/main/java/Gone.java

# What is done; the status, runs of the compiler and of Maven, and classes of Other and Gone; the sentence.
while IFS='|' read -r change expected sentence; do
  sandbox_forget_calls
  command=build
  eval "$change"
  sandbox_run $command
  is "$status $(sandbox_calls '^compiled') $(sandbox_calls '^mvnw') $(find "$checkout" -name Other.class -o -name Gone.class | wc -l)" "$expected" "$sentence"
done <<'END'
|0 1 1 0|the first start, in a checkout whose path has spaces, compiles C and runs Maven
|0 0 0 0|a second start with nothing changed runs neither
echo 'class Main {}' >"$main"|0 0 1 0|a changed source runs Maven
touch -d 2001-01-01 "$main"|0 0 1 0|so does an older one, as another branch may have it
touch "$other"|0 0 1 1|and a new one
rm "$other"|0 0 1 0|after a deleted one it cleans, because the class would stay
touch "$other"; sandbox_run build; rm "$other"; sandbox_forget_calls; command=demo|0 0 1 0|also if another command had compiled it
touch "$other"; mvnw_status=1|1 0 1 1|a build that fails is told by the status
mvnw_status=0|0 0 1 1|and not taken for done
touch "$gone"; mvnw_status=1; sandbox_run demo; rm "$gone"; mvnw_status=0; sandbox_forget_calls|0 0 1 1|what it had compiled goes as well
rm -r "$checkout/cli/target"|0 0 1 1|deleted outputs are made again
jdks="$sandbox/jdk 21"|0 0 1 1|also by another JDK
echo >"$checkout/native/src/clock.c"|0 1 1 1|a changed C source runs the compiler, and Maven, which packs the library into a jar
END

sandbox_forget_calls
sandbox_run demo
is "$status $(sandbox_calls 'mvnw .* -Pbench ')" '0 1' 'a command that measures builds bench as well'
sandbox_run build
is "$status $(sandbox_calls '^mvnw')" '0 1' 'and with it all that the others need'

sandbox_forget_calls
compiler='no-such-compiler'
sandbox_run doctor 77
is "$status $err" '0 ' 'with nothing to build, a command needs no compiler, whatever CC is'
compiler=

exec {lock}>>"$checkout/.build/lock"
flock "$lock"
echo >"$main"
sandbox_start build
until [[ -s $sandbox/err ]] || ! kill -0 "$launcher" 2>/dev/null; do sleep 0.02; done
flock -u "$lock" && exec {lock}>&-
sandbox_wait
like "$status $err" '^0 .*another ./threadclock .* waiting' 'while another one builds it says that it waits, and then goes on'

done_testing
