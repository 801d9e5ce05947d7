# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests, each part with its own runner, and adds up what the runners counted.

readonly SUITE_LINES_SHOWN=60 # of a log, when tests have failed
readonly SUITE_USUAL=(native java checks)
readonly SUITE_PARTS=("${SUITE_USUAL[@]}" analysis kernels platforms install) # --all; suite_run_PART runs one, suite_needs_PART names what it needs

suite_passed=0
suite_failed=0
suite_skipped=0

suite_has() { # part
  [[ " ${SUITE_PARTS[*]} " == *" $1 "* ]]
}

suite_run() { # parts…; none: the usual ones
  (($#)) || set -- "${SUITE_USUAL[@]}"
  local part needs
  read -ra needs <<<"$(suite_needs "$@")"
  build_begin "${needs[@]}"
  [[ " $* " != *" native "* ]] || toolchain_seek_disturbers
  [[ " $* " != *" java "* ]] || { toolchain_seek_browser && prometheus_seek && toolchain_seek_terminal; }
  [[ " $* " != *" install "* ]] || toolchain_seek_readers
  [[ -z $store_wanted ]] || store_provide
  for part in "$@"; do
    "suite_run_$part"
  done
  printf 'tests: %d passed, %d failed, %d skipped\n' "$suite_passed" "$suite_failed" "$suite_skipped"
  ((suite_failed == 0 && suite_passed > 0))
}

suite_needs() { # parts…
  local part
  printf 'compiler make jdk '
  for part in "$@"; do
    "suite_needs_$part"
  done
}

suite_needs_native() { printf 'prove pkgconfig '; }
suite_needs_java() { printf 'maven '; }
suite_needs_checks() { printf 'maven prove '; }

suite_run_native() {
  build_native
  suite_run_prove "native tests" "${build_make[@]}" test
}

suite_run_checks() {
  # From the checkout's folder: prove splits a path at spaces.
  suite_run_prove checks env -C "$root" CC="$(toolchain_compiler)" prove -j2 launcher/test
}

# prove counts no skipped tests and may not say what failed, so the tests' own output is kept.
suite_run_prove() { # title, command…
  local title=$1 name=${1// /-} log taps status=0
  shift
  log=$state/$name.log taps=$state/$name.tap
  rm -rf -- "$taps"
  mkdir -- "$taps"
  export PERL_TEST_HARNESS_DUMP_TAP=$taps
  job_step "running the $title" "$log" "$@" || status=$?
  unset PERL_TEST_HARNESS_DUMP_TAP
  ((status == 0)) || suite_show_failures "$title" "$log" "$(suite_failed_taps "$taps")"
  suite_show_closing_lines "$log" '^(All tests successful|Files=|Result:)'
  suite_add "$status" "$(suite_count_tap "$taps")"
}

# Each failed test with its diagnosis, under the program's name.
suite_failed_taps() { # folder
  find "$1" -type f | LC_ALL=C sort | while IFS= read -r tap; do
    awk -v program="${tap#"$1"/}" '
      /^not ok/ && tolower($0) !~ /# *skip/ { if (!failed++) print program; shown = 1; print "  " $0; next }
      /^ *#/ && shown { print "  " $0; next }
      { shown = 0 }' "$tap"
  done
}

suite_count_tap() { # folder: prints passed, failed and skipped tests
  find "$1" -type f -exec cat -- {} + | awk '
    { line = tolower($0) }
    line ~ /^1\.\.0.*# *skip/ { skipped++; next }
    line ~ /^(not )?ok.*# *skip/ { skipped++; next }
    line ~ /^not ok/ { failed++; next }
    line ~ /^ok/ { passed++ }
    END { print passed + 0, failed + 0, skipped + 0 }'
}

suite_run_java() {
  local log=$state/java-tests.log status=0 list
  build_native
  list=$(build_java_inputs)
  local -x THREADCLOCK_HOME=$root THREADCLOCK_LIBRARY=$library # of no other part
  build_maven "running the Java tests" "$log" -fae verify || status=$?
  ((status == 0)) || build_explain_fetching "$log"
  ((status == 0)) || suite_show_failures "Java tests" "$log" "$(suite_failed_surefire "$log")"
  suite_show_closing_lines "$log" 'Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$|BUILD (SUCCESS|FAILURE)'
  suite_show_jdks
  suite_add "$status" "$(suite_count_surefire "$log")"
  ((status != 0)) || stamp_write "$state/java.stamp" "$list"
}

suite_show_jdks() {
  local features
  ((${#store_chosen[@]})) || mapfile -t store_chosen < <(printf '%s\n' "${jdk_rows[@]%%$'\t'*}" | sort -nu)
  printf -v features ', %s' "${store_chosen[@]}"
  printf 'the agent was tested on JDK %s\n' "${features#, }"
}

# What Surefire and Failsafe repeat at the end of a module.
suite_failed_surefire() { # log
  sed -nE '/^\[ERROR\] (Failures|Errors): *$/,/Tests run: .*, Skipped: [0-9]+$/ { /Tests run: /!p }' "$1"
}

# One line per module and runner ends with the number of skipped tests; the lines per class go on.
suite_count_surefire() { # log: prints passed, failed and skipped tests
  awk '
    /Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$/ {
      gsub(/[^0-9 ]/, "")
      run += $1; failed += $2 + $3; skipped += $4
    }
    END { print run - failed - skipped, failed + 0, skipped + 0 }' "$1"
}

suite_show_failures() { # title, log, failed tests; none: the end of the log explains more
  local failures=$3
  [[ -n $failures ]] || failures=$(tail -n "$SUITE_LINES_SHOWN" -- "$2")
  printf '%s\n' "$failures" >&2
  say "the $1 failed as above; all of their output is in $2"
}

suite_show_closing_lines() { # log, pattern
  grep -E -- "$2" "$1" || true
}

# A runner that failed without naming a test (a crash, a compile error) counts as one failure.
suite_add() { # status, "passed failed skipped"
  local passed failed skipped
  read -r passed failed skipped <<<"$2"
  if (($1 != 0 && failed == 0)); then failed=1; fi
  suite_passed=$((suite_passed + passed))
  suite_failed=$((suite_failed + failed))
  suite_skipped=$((suite_skipped + skipped))
}
