#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

sandbox_create
mkdir -p "$checkout/threadclock-native/t" "$checkout/launcher/test"

tap_program() { # file; TAP is on standard input
  { printf '#!/bin/bash\ncat <<"TAP"\n' && cat && printf 'TAP\n'; } >"$1"
  chmod +x "$1"
}
surefire_log() { # lines…
  printf '%s\n' "$@" >"$checkout/surefire.log"
}

tap_program "$checkout/threadclock-native/t/clock.t" <<'END'
ok 1 - reads
ok 2 - uses the perf page # SKIP perf_event_open is refused
ok 3 - is monotone
1..3
END
tap_program "$checkout/threadclock-native/t/other.t" <<<'1..0 # SKIP no such kernel'
tap_program "$checkout/launcher/test/own.t" <<<$'ok 1 - is there\n1..1'
surefire_log '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in io.A' \
  '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s -- in io.B' \
  '[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1' \
  '[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0' '[INFO] BUILD SUCCESS'

sandbox_run test
is "$status" 0 'tests that pass give status 0'
is "${out##*$'\n'}" 'tests: 14 passed, 0 failed, 3 skipped' 'the last line adds up what prove and Surefire have counted'
like "$out" 'Files=2, Tests=3,.*Result: PASS' "prove's own closing lines are printed"
like "$out" 'Tests run: 5, Failures: 0, Errors: 0, Skipped: 1'$'\n.*Tests run: 7, ' "Surefire's own closing lines are printed"
unlike "$out" 'Time elapsed' 'its lines per class are not'

is "$(sandbox_calls '^brief yes$') $(sandbox_calls '^mvnw .* -Dthreadclock.brief verify$')" '1 1' 'each promise is tried once'
like "$out" 'the agent was tested on JDK 17'$'\n' 'on the newest JDK'
tap_program "$checkout/launcher/test/release.t" <<<$'ok 1 - is there\n1..1'
tap_program "$checkout/launcher/test/errorprone.t" <<<$'ok 1 - is there\n1..1'
sandbox_run test
is "${out##*$'\n'}" 'tests: 14 passed, 0 failed, 3 skipped' 'what is published is not built for it, nor the sources for Error Prone'
sandbox_run test --checks
is "${out##*$'\n'}" 'tests: 3 passed, 0 failed, 0 skipped' 'but by --checks they are'
rm "$checkout/launcher/test/"{release,errorprone}.t

sandbox_forget_calls
sandbox_run test --checks
is "${out##*$'\n'}" 'tests: 1 passed, 0 failed, 0 skipped' '--checks runs that part alone'
is "$(sandbox_calls mvnw)" 0 'and starts no Maven'

sandbox_run test --native
is "${out##*$'\n'}" 'tests: 2 passed, 0 failed, 2 skipped' '--native runs that part alone'

sandbox_run test --java
is "${out##*$'\n'}" 'tests: 11 passed, 0 failed, 1 skipped' '--java runs that part alone'
is "$(sandbox_calls '^brief yes$') $(sandbox_calls '^mvnw .*threadclock.brief')" '0 0' 'a part that is named is run in full'
sandbox_forget_calls
sandbox_run build
is "$(sandbox_calls mvnw)" 0 'what the Java tests have built is not built again'

tap_program "$checkout/launcher/test/own.t" <<<$'ok 1 - is there\nnot ok 2 - is right\n# expected: left\nok 3 # unrelated\n1..3'
sandbox_run test --checks
is "$status ${out##*$'\n'}" '1 tests: 2 passed, 1 failed, 0 skipped' 'a failed TAP test fails'
like "$err" 'own\.t'$'\n''  not ok 2 - is right'$'\n''  # expected: left'$'\n''threadclock: [^'$'\n'']*/checks\.log$' \
  'it is shown with its diagnosis and nothing else, and where the rest is'

tap_program "$checkout/launcher/test/own.t" <<<$'ok 1 - is there\n1..2'
sandbox_run test --checks
is "$status ${out##*$'\n'}" '1 tests: 1 passed, 1 failed, 0 skipped' 'a TAP program that ends early fails'

surefire_log '[ERROR] Failures: ' '[ERROR]   ClockIT.isMonotone:7 expected 1' '[INFO] ' \
  '[ERROR] Tests run: 5, Failures: 1, Errors: 2, Skipped: 0' '[ERROR] -> [Help 1]'
mvnw_status=1
sandbox_run test --java
is "$status ${out##*$'\n'}" '1 tests: 2 passed, 3 failed, 0 skipped' 'failures and errors of Surefire fail'
like "$err" 'ClockIT.isMonotone:7 expected 1' 'they are shown'
unlike "$err" 'Help 1' 'without what Maven says of itself'
mvnw_status=0
sandbox_run test --java
is "$status ${out##*$'\n'}" '1 tests: 2 passed, 3 failed, 0 skipped' 'even where Maven says that all is well'

surefire_log '[ERROR] COMPILATION ERROR'
mvnw_status=1
sandbox_run test --java
is "$status ${out##*$'\n'}" '1 tests: 0 passed, 1 failed, 0 skipped' 'a build that fails before any test counts as a failure'

surefire_log '[INFO] No tests to run.'
mvnw_status=0
sandbox_run test --java
is "$status ${out##*$'\n'}" '1 tests: 0 passed, 0 failed, 0 skipped' 'no test at all is no success'

done_testing
