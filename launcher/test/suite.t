#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

sandbox_create
for tool in cut getconf git; do ln -sf "$(type -P "$tool")" "$sandbox/bin/$tool"; done
mkdir -p "$checkout/threadclock-native/t" "$checkout/launcher/test" "$checkout/threadclock-it/src/test/java/io" "$checkout/threadclock-rust/test"
touch "$checkout/threadclock-it/src/test/java/io/ClockIT.java"
own=$checkout/launcher/test/own.t

tap_program() { # file, TAP of its first run, of every other if that is another
  printf '#!/bin/bash\nif [[ -e $0.ran ]]; then echo %q; else echo %q; fi\ntouch "$0.ran"\n' "${3:-$2}" "$2" >"$1"
  rm -f "$1.ran"
  chmod +x "$1"
}
surefire_log() { # lines…
  printf '%s\n' "$@" >"$checkout/surefire.log"
}
tests() { # options of test, status, counts, sentence
  sandbox_run test $1
  is "$status ${out##*$'\n'}" "$2 tests: ${3/,/ passed,}" "$4"
}

tap_program "$checkout/threadclock-native/t/clock.t" $'ok 1 - reads\nok 2 - uses the perf page # SKIP refused\nok 3 - is monotone\n1..3'
tap_program "$checkout/threadclock-native/t/other.t" '1..0 # SKIP no such kernel'
tap_program "$checkout/launcher/test/release.t" $'ok 1 - is there\n1..1'
tap_program "$checkout/threadclock-rust/test/promises.t" $'ok 1 - holds\n1..1'
tap_program "$checkout/threadclock-rust/test/crate.t" $'not ok 1 - is packed\n1..1'
tap_program "$own" $'ok 1 - is there\n1..1'
surefire_log '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in io.A' \
  '[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1' \
  '[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1' '[INFO] BUILD SUCCESS'
# More than a pipe holds.
for ((i = 0; i < 3000; i++)); do printf '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.%d s -- in io.A\n' "$i"; done >>"$checkout/surefire.log"

tests '' 0 '15, 0 failed, 3 skipped' 'the last line adds up what prove and Surefire have counted'
like "$out" $'native: 2 passed, 0 failed, 2 skipped in [0-9]+ s\n.*slowest: [^\n]* s\nthe agent was tested on JDK 17\n' 'before it are the parts, the slowest, and the JDK'
is "$(sandbox_calls '^native yes$') $(sandbox_calls '^mvnw .* -Dthreadclock.brief -DexcludedGroups=timing,')" '1 1' 'the gate runs laws alone'
sandbox_forget_calls
tests --checks 0 '2, 0 failed, 0 skipped' 'a part runs alone, and in full'
sandbox_run test --java
is "$(sandbox_calls '^mvnw ') $(sandbox_calls '^mvnw .*(brief|excluded)')" '1 0' 'so do the Java tests'

tap_program "$own" $'ok 1 - is there\nnot ok 2 - is right\n# expected: left\nok 3 # unrelated\n1..3'
tests --checks 1 '3, 1 failed, 0 skipped' 'a failed TAP test fails'
like "$err" 'own\.t'$'\n''  not ok 2 - is right'$'\n''  # expected: left'$'\n''threadclock: [^'$'\n'']*/checks\.log$' \
  'it is shown with its diagnosis and nothing else, and where the rest is'
tests '' 1 '16, 1 failed, 3 skipped' 'and hides none of the other parts'
tap_program "$own" $'ok 1 - is there\nnot ok 2 - is right\n1..2' $'ok 1 - is there\nok 2 - is right\n1..2'
tests '' 0 '16, 0 failed, 3 skipped' 'what is green when it is tried again counts as green'
like "$out" 'flaky: checks launcher/test/own\.t, 1/2 tries red \(load [0-9.]+, steal [0-9.]+ %\): is right'$'\n' 'and is told'
sandbox_run test --report
like "$out" 'none in .*tried again by ./threadclock test on this machine:'$'\n''  1  checks launcher/test/own\.t$' 'and kept'
tap_program "$own" $'ok 1 - is there\n1..2'
tests --checks 1 '2, 1 failed, 0 skipped' 'a TAP program that ends early fails'
tap_program "$own" $'ok 1 - is there\n1..1'

surefire_log '[ERROR] Tests run: 5, Failures: 1, Errors: 2, Skipped: 0, Time elapsed: 1 s <<< FAILURE! -- in io.ClockIT' \
  '[ERROR] io.ClockIT.isMonotone -- Time elapsed: 0.041 s <<< FAILURE!' \
  '[ERROR] Failures: ' '[ERROR]   ClockIT.isMonotone:7 expected 1' '[INFO] ' \
  '[ERROR] Tests run: 5, Failures: 1, Errors: 2, Skipped: 0' '[ERROR] -> [Help 1]'
tests --java 1 '2, 3 failed, 0 skipped' 'failures and errors of Surefire fail, even where Maven says that all is well'
like "$err" 'ClockIT.isMonotone:7 expected 1' 'they are shown'
printf '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n' >"$checkout/surefire.log.again"
tests '' 0 '9, 0 failed, 2 skipped' 'a class is tried again'
is "$(sandbox_calls '^mvnw .* -pl threadclock-it -am -Dtest=NONE -Dit.test=io.ClockIT ')" 1 'alone'
like "$out" 'flaky: java io.ClockIT, 1/2 .*: isMonotone'$'\n' 'and told'
mvnw_status=1
tests '' 1 '9, 1 failed, 2 skipped' 'but not a module that Maven could not compile beside it'
mvnw_status=0
echo '[ERROR] COMPILATION ERROR' >"$checkout/surefire.log.again"
tests '' 1 '6, 3 failed, 2 skipped' 'nor a class beside which Maven could not compile at the second try'
surefire_log '[ERROR] The forked VM terminated without properly saying goodbye.' '[ERROR] Crashed tests:' '[ERROR] io.ClockIT' \
  '[INFO] threadclock integration tests ...................... SKIPPED' \
  '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0'
tests '' 1 '9, 1 failed, 2 skipped' 'a JVM that crashes fails, and no other try excuses it'
like "$err" 'not tested for that: threadclock integration tests'$'\n' 'nor hides what was not tested for it'
surefire_log '[INFO] Running io.A' '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s -- in io.A' '[INFO] Running io.ClockIT'
mvnw_status=124
tests --java 1 '0, 1 failed, 0 skipped' 'tests that hang are ended, and fail'
like "$err" 'hung, or cut off: io\.ClockIT' 'with the name of their class'
unlike "$err" 'cut off: io\.A' 'and no other'
mvnw_status=0
surefire_log '[INFO] No tests to run.'
tests --java 1 '0, 0 failed, 0 skipped' 'no test at all is no success'
sandbox_fake uname <<<'[[ $1 != -m ]] && echo Linux || echo aarch64'
tests '--kernels --platforms' 1 '0, 0 failed, 2 skipped' 'parts for x86_64 alone are left out elsewhere, whatever they need'
rm "$sandbox/bin/uname" && ln -s "$(type -P uname)" "$sandbox/bin/uname"

tap_program "$own" $'not ok 1 - is there\n1..1'
sandbox_run test --wide
verdicts() { cut -f 9,10,12 "$checkout/launcher/wide.tsv" | grep -E "^$1" | tr '\t\n' ' ;'; }
is "$status $(verdicts 'native|checks|soak')" \
  '0 native * green;checks launcher/test/own.t red 3/3;checks * green;soak * green;' 'the wide run goes on behind what is red'
like "$(verdicts kernels)" 'kernels \* not run' 'and behind what cannot run'
like "$(cut -f 11 "$checkout/launcher/wide.tsv")" 'JDK 8, .*: not here, and without apt-get not to be had' 'and says why'
sandbox_run test --report
like "$out" 'wide runs: 1, .*'$'\n''red:'$'\n''  checks launcher/test/own.t: is there \(since unknown, .*not run:'$'\n''  .*  kernels ' 'the report tells both'
sandbox_run test --wide --strict
is "$status" 1 '--strict fails because of either'

done_testing
