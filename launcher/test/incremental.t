#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What is stale is not taken for built.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create
sandbox_fake_jdk 21.0.1 "$sandbox/jdk 21"
main=$checkout/threadclock-cli/src/main/java/Main.java other=${main/Main/Other}

# What is done; the status; runs of the compiler, of Maven, and of those the ones that clean; the sentence.
while IFS='|' read -r change expected sentence; do
  eval "$change"
  sandbox_forget_calls
  sandbox_run build
  is "$status $(sandbox_calls '^compiled') $(sandbox_calls '^mvnw') $(sandbox_calls 'mvnw .* clean ')" "$expected" "$sentence"
done <<'END'
|0 1 1 0|the first start, in a checkout whose path has spaces, compiles C and runs Maven
|0 0 0 0|a second start with nothing changed runs neither
echo 'class Main {}' >"$main"|0 0 1 0|a changed source runs Maven
touch -d 2001-01-01 "$main"|0 0 1 0|so does an older one, as another branch may have it
touch "$other"|0 0 1 0|and a new one
rm "$other"|0 0 1 1|after a deleted one it cleans, because the class would stay
rm -r "$checkout/threadclock-cli/target"|0 0 1 0|deleted outputs are made again
jdks="$sandbox/jdk 21"|0 0 1 0|also by another JDK
echo >"$checkout/threadclock-native/src/clock.c"|0 1 1 0|a changed C source runs the compiler, and Maven, which packs the library into a jar
echo broken >"$main"; mvnw_status=1|1 0 1 0|a build that fails is told by the status
mvnw_status=0|0 0 1 0|and not taken for done
END

sandbox_forget_calls
sandbox_run demo
is "$status $(sandbox_calls 'mvnw .* -Pbench ')" '0 1' 'a command that measures builds bench as well'
sandbox_run build
is "$status $(sandbox_calls '^mvnw')" '0 1' 'and with it all that the others need'

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
