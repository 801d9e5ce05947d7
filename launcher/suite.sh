# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests, each part with its own runner, and adds up what the runners counted.

readonly SUITE_LINES_SHOWN=60 # of a log, when tests have failed
readonly SUITE_COVERAGE=$root/threadclock-native/build/coverage/table
readonly SUITE_USUAL=(native java checks)
readonly SUITE_PARTS=("${SUITE_USUAL[@]}" analysis kernels platforms install languages) # --all; suite_run_PART runs one

suite_brief= # set: each promise is tested once, with fewer repetitions
suite_passed=0
suite_failed=0
suite_skipped=0

suite_has() { # part
  [[ " ${SUITE_PARTS[*]} " == *" $1 "* ]]
}

suite_run() { # parts…; none: the usual ones
  if (($# == 0)); then
    [[ -n $jdk_wanted ]] || suite_brief=yes
    set -- "${SUITE_USUAL[@]}"
  fi
  local part needs
  read -ra needs <<<"$(suite_needs "$@")"
  build_begin "${needs[@]}"
  suite_seek "$*"
  [[ -z $jdk_wanted ]] || jdk_provide
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
    case $part in
      native) printf 'prove pkg-config ' ;;
      java) printf 'maven ' ;;
      checks | install) printf 'maven prove ' ;;
      analysis) printf 'prove gcc gcov fuzzer clang-tidy maven ' ;;
      kernels) ! kernels_are_for_here || printf 'prove qemu-system-x86_64 musl-gcc cpio ' ;;
      platforms) printf 'maven prove musl-gcc cpio qemu-user qemu-system-aarch64 ' ;;
      languages) printf 'prove pkg-config ' ;;
    esac
  done
}

# This is optional.
suite_seek() { # parts
  if [[ " $1 " == *" native "* ]]; then
    toolchain_seek "the native tests beside those are skipped" gdb valgrind libjemalloc.so.2 libtcmalloc_minimal.so.4
  fi
  if [[ " $1 " == *" java "* ]]; then
    toolchain_seek "the tests of reports in a browser are skipped" chromium chromedriver
    toolchain_seek "the tests of top's screen are skipped" tmux
    prometheus_seek
  fi
  if [[ " $1 " == *" checks "* ]]; then
    toolchain_seek "the check of the shell scripts is skipped" shellcheck
    toolchain_seek "the check of the layout of C is skipped" clang-format
  fi
  if [[ " $1 " == *" languages "* ]]; then
    toolchain_seek "the tests of the Rust crates are skipped" cargo
    toolchain_seek "the tests of the Python package are skipped" python3 pip python-headers
    mypy_seek
    toolchain_seek "the tests of C++ and of CMake's package are skipped" g++ cmake
    toolchain_seek "the check of the binary interface is skipped" abidiff
  fi
  if [[ " $1 " == *" install "* ]]; then
    toolchain_seek "the tests of the manual and the completion by those are skipped" fish zsh groff
    toolchain_seek "the test of the package for Fedora is skipped" rpmbuild
  fi
}

suite_run_native() {
  build_native
  suite_run_prove "native tests" "${build_make[@]}" ${suite_brief:+BRIEF=yes} test
}

suite_run_checks() {
  local tests=(launcher/test)
  # The published files are built twice, and all Java again for Error Prone: longer than all other checks together.
  [[ -z $suite_brief ]] || mapfile -t tests < <(cd -- "$root" && compgen -G 'launcher/test/*.t' | grep -vxE 'launcher/test/(release|errorprone).t')
  # From the checkout's folder: prove splits a path at spaces.
  suite_run_prove checks env -C "$root" CC="$(toolchain_compiler)" prove -j2 "${tests[@]}"
}

# The packages for programs outside the JVM.
suite_run_languages() {
  build_native
  # The test of the wheels would fetch it, and wait for this launcher's hold on the store.
  ! toolchain_has pip || zig_provide
  local tests
  mapfile -t tests < <(cd -- "$root" && compgen -G 'threadclock-*/test/*.t')
  suite_run_prove "tests of other languages" env -C "$root" CC="$(toolchain_compiler)" prove "${tests[@]}"
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

# Prints each failed test with its diagnosis, under the program's name.
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

suite_run_analysis() {
  rm -f -- "$SUITE_COVERAGE"
  suite_run_prove analysis "${build_make[@]}" analysis
  suite_show_closing_lines "$SUITE_COVERAGE" '^coverage '
  suite_fuzz_commands
}

# Jazzer fuzzes the input that commands read from others. Its driver exists for x86-64 only.
suite_fuzz_commands() {
  local log=$state/java-fuzzers.log
  if [[ $(uname -m) != x86_64 ]]; then
    say "the commands are not fuzzed: Jazzer has no driver for $(uname -m)"
    return
  fi
  if ! build_maven "building the fuzzers of the commands" "$log" -q -pl threadclock-cli -am -DskipTests process-test-classes; then
    suite_show_failures "fuzzers of the commands" "$log" ''
    suite_add 1 '0 0 0'
    return
  fi
  suite_run_prove "fuzzers of the commands" env -C "$root" prove threadclock-cli/src/test/sh/fuzz.t
}

suite_run_java() {
  local log=$state/java-tests.log status=0 list
  build_native
  list=$(build_java_inputs)
  local -x THREADCLOCK_HOME=$root THREADCLOCK_LIBRARY=$library # of no other part
  build_maven "running the Java tests" "$log" -fae ${suite_brief:+-Dthreadclock.brief} verify || status=$?
  ((status == 0)) || suite_show_failures "Java tests" "$log" "$(suite_failed_surefire "$log")"
  suite_show_closing_lines "$log" 'Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$|BUILD (SUCCESS|FAILURE)'
  suite_show_jdks
  suite_add "$status" "$(suite_count_surefire "$log")"
  ((status != 0)) || stamp_write "$state/java.stamp" "$list"
}

suite_show_jdks() {
  local features
  [[ -z $suite_brief ]] || mapfile -t jdk_chosen < <(printf '%s\n' "${jdk_rows[@]%%$'\t'*}" | sort -n | tail -n 1)
  ((${#jdk_chosen[@]})) || mapfile -t jdk_chosen < <(printf '%s\n' "${jdk_rows[@]%%$'\t'*}" | sort -nu)
  printf -v features ', %s' "${jdk_chosen[@]}"
  printf 'the agent was tested on JDK %s\n' "${features#, }"
}

# The summary that Surefire and Failsafe print at the end of a module.
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
