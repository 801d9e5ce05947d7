#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

sandbox_create
for tool in git tee; do ln -sf "$(type -P "$tool")" "$sandbox/bin/$tool"; done
reports=$checkout/tests/it/target/failsafe-reports
mkdir -p "$checkout/native/t" "$checkout/launcher/test" "$checkout/bindings/rust/test" "$reports"
own=$checkout/launcher/test/own.t

tap_program() { # file, TAP of its first run, of every other if that is another
  printf '#!/bin/bash\necho "${0##*/}" >>"$CALLS"\nif [[ -e $0.ran ]]; then echo %q; else echo %q; fi\ntouch "$0.ran"\n' "${3:-$2}" "$2" >"$1"
  rm -f "$1.ran"
  chmod +x "$1"
}
maven_says() { # lines of its console…; the reports of Surefire are those of report alone
  rm -rf "$checkout/reports"
  mkdir "$checkout/reports"
  printf '%s\n' "$@" >"$checkout/surefire.log"
}
report() { # class, its tests as NAME or NAME|WHAT|…
  local test name results result
  printf '<testsuite xmlns="x" name="%s" time="0.25" tests="9">\n<system-out><![CDATA[<testcase name="said"/>]]></system-out>\n' "$1"
  for test in "${@:2}"; do
    IFS='|' read -r name results <<<"$test"
    printf '<testcase name="%s" classname="%s" time="0.1">\n' "$name" "$1"
    for result in ${results//|/ }; do
      printf '<%s message="expected &lt;1&gt;&#10;got 2"><![CDATA[at io.A]]></%s>\n' "$result" "$result"
    done
    printf '</testcase>\n'
  done
  printf '</testsuite>\n'
} >"$checkout/reports/TEST-$1.xml"
sed -i 's,^cat .*surefire.log.*,cp "${0%/*}"/reports/* "${0%/*}/tests/it/target/failsafe-reports/" 2>/dev/null\n&,' "$checkout/mvnw"
tests() { # options of test, status, counts, sentence
  sandbox_forget_calls
  sandbox_run test $1
  is "$status ${out##*$'\n'}" "$2 tests: ${3/,/ passed,}" "$4"
}

tap_program "$checkout/native/t/clock.t" $'ok 1 - reads\nok 2 - uses the perf page # SKIP refused\nok 3 - is monotone\n1..3'
tap_program "$checkout/native/t/other.t" '1..0 # SKIP no such kernel'
tap_program "$checkout/launcher/test/release.t" $'ok 1 - is there\n1..1'
tap_program "$checkout/bindings/rust/test/promises.t" $'ok 1 - holds\n1..1'
tap_program "$checkout/bindings/rust/test/crate.t" $'not ok 1 - is packed\n1..1'
tap_program "$own" $'ok 1 - is there\n1..1'
maven_says '[INFO] Running io.A' '[INFO] BUILD SUCCESS'
report io.A holds 'isSkipped|skipped' isMonotone{,,,}
report io.B isOrdered{,,,,}

tests '' 0 '14, 0 failed, 3 skipped' 'the last line adds up what prove and Surefire have counted'
like "$out" $'native: 2 passed, 0 failed, 2 skipped in [0-9]+ s\n.*slowest: .*io.A 0.2 s[^\n]*\nthe agent was tested on JDK 17\n' \
  'before it are the parts, the slowest, and the JDK'
is "$(sandbox_calls '^native yes$') $(sandbox_calls '^mvnw .* -Dthreadclock.brief -DexcludedGroups=timing,')" '1 1' 'the gate runs laws alone'
tests --checks 0 '2, 0 failed, 0 skipped' 'a part runs alone, and in full'
sandbox_run test --java
is "$(sandbox_calls '^mvnw ') $(sandbox_calls '^mvnw .*(brief|excluded)')" '1 0' 'so do the Java tests'

tap_program "$own" $'ok 1 - is there\nnot ok 2 - is right\n# expected: left\nok 3 # unrelated\n1..3'
tests --checks 1 '3, 1 failed, 0 skipped' 'a failed TAP test fails'
like "$err" 'own\.t'$'\n''  not ok 2 - is right'$'\n''  # expected: left'$'\n''threadclock: [^'$'\n'']*/checks\.log$' \
  'it is shown with its diagnosis and nothing else, and where the rest is'
is "$(sandbox_calls '^own.t$') $(sandbox_calls '^release.t$')" '2 1' 'after it was tried again, alone'
tests '' 1 '15, 1 failed, 3 skipped' 'and hides none of the other parts'
tap_program "$own" $'ok 1 - is there\nnot ok 2 - is right\n1..2' $'ok 1 - is there\nok 2 - is right\n1..2'
tests '' 0 '15, 0 failed, 3 skipped' 'what is green when it is tried again counts as green'
like "$out" $'flaky: checks launcher/test/own\\.t: is right\n' 'and is told'
tap_program "$own" $'ok 1 - is there\n1..2'
tests --checks 1 '2, 1 failed, 0 skipped' 'a TAP program that ends early fails'
like "$err" 'own\.t'$'\n''  not ok - ends as it should' 'and is named'
tap_program "$own" $'ok 1 - is there\n1..1'

maven_says
report io.A holds 'isMonotone|failure|rerunFailure' 'starts|error|rerunError' '|failure|rerunFailure'
tests --java 1 '1, 3 failed, 0 skipped' 'failures and errors of Surefire fail, even where Maven says that all is well'
like "$err" $'it/io\\.A\n  not ok - isMonotone\n  # expected <1>\n  # got 2\n' 'they are shown'
report io.A holds 'isMonotone|flakyFailure' '|failure'
tests '' 0 '6, 0 failed, 2 skipped' 'a test that Surefire has tried again counts as green, and so does what comes before the tests of a class'
is "$(sandbox_calls '^mvnw .* -Dsurefire.rerunFailingTestsCount=1 -Dfailsafe.rerunFailingTestsCount=1 ')" 1 'it tries each once'
like "$out" $'flaky: java it/io\\.A: isMonotone\nflaky: java it/io\\.A: begins\n' 'and both are told'
mvnw_status=1
tests '' 1 '6, 1 failed, 2 skipped' 'but not a module that Maven could not compile beside it'
maven_says '[INFO] Running io.A' '[INFO] Running io.ClockIT' '[INFO] threadclock integration tests ...................... SKIPPED'
report io.A holds
tests --java 1 '1, 1 failed, 0 skipped' 'a JVM that crashes fails'
like "$err" $'not tested for that: threadclock integration tests\n' 'and does not hide what was not tested for it'
mvnw_status=124
tests --java 1 '1, 1 failed, 0 skipped' 'tests that hang are ended, and fail'
like "$err" $'io\\.ClockIT\n  not ok - ends: it hung, or was cut off' 'with the name of their class'
unlike "$err" 'io\.A' 'and no other'
mvnw_status=0
maven_says '[INFO] No tests to run.'
tests --java 1 '0, 0 failed, 0 skipped' 'no test at all is no success'
sandbox_fake uname <<<'[[ $1 != -m ]] && echo Linux || echo aarch64'
tests '--kernels --platforms' 1 '0, 0 failed, 2 skipped' 'parts for x86_64 alone are left out elsewhere, whatever they need'
rm "$sandbox/bin/uname" && ln -s "$(type -P uname)" "$sandbox/bin/uname"

tap_program "$own" $'not ok 1 - is there\n1..1'
sandbox_run test --wide
is "$(grep -E '^== (native|checks|soak) ' <<<"$out")" $'== native is green\n== checks is red\n== soak is green' 'the wide run goes on behind what is red'
like "$out" $'\n== kernels is red\n' 'and behind what cannot run'
like "$out" 'JDK 8, .*: not here, and without apt-get not to be had' 'and says why'
like "$out" $'own\\.t\n  not ok 1 - is there\n' 'it tells what was red'
unlike "$out" 'native: ' 'and nothing of what was green'
like "$(<"${out##*: }")" $'commit .*\n== native is green\n.*native: 2 passed.*\n  not ok 1 - is there\n' 'of which one file has all'
is "$status" 1 'it fails because of either'

done_testing
