# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests, each part by its own runner, and adds up what the runners counted.
#
# A unit is one run of a runner: prove, or Maven for the unit `java`. suite_command_UNIT sets suite_command, which runs
# all of its programs (of Java: classes); what was red is run once more, by tries/prove or by Surefire. A unit leaves in
# $state: UNIT.log; UNIT.tap/, what each program said; UNIT.flaky, what was green the second time; UNIT.result, its status
# and seconds.

readonly SUITE_LINES_SHOWN=60 # of a log, when tests have failed
readonly SUITE_SLOWEST_SHOWN=5
readonly SUITE_COVERAGE=$root/native/build/coverage/table
readonly SUITE_GATE=(native java checks languages)
readonly SUITE_PARTS=(native java checks analysis kernels platforms install languages) # --all; suite_run_PART runs one
readonly SUITE_NEEDS=( # part; what is left out without the needs, or nothing: it cannot do without; needs
  'native||prove pkg-config'
  'native|the native tests beside those are skipped|gdb valgrind libjemalloc.so.2 libtcmalloc_minimal.so.4 faketime'
  'java||maven'
  'java|the tests of reports in a browser are skipped|chromium chromedriver'
  "java|the tests of top's screen are skipped|tmux"
  'checks||maven prove'
  'checks|the check of the layout of C is skipped|clang-format'
  'checks|the check of the shell scripts is skipped|shellcheck'
  'analysis||prove gcc gcov fuzzer clang-tidy maven'
  'kernels||prove qemu-system-x86_64 musl-gcc cpio'
  'platforms||maven prove musl-gcc cpio qemu-user qemu-system-aarch64'
  'install||maven prove'
  'install|the tests of the manual and the completion by those are skipped|zsh groff'
  'install|the test of the package for Fedora is skipped|rpmbuild'
  'languages||prove pkg-config'
  'languages|the tests of the Rust crates are skipped|cargo'
  'languages|the tests of the Python package are skipped|python3 pip python-headers'
  "languages|the tests of C++ and of CMake's package are skipped|g++ cmake"
  'languages|the check of the binary interface is skipped|abidiff'
)
readonly SUITE_WIDE_TAGS=timing,server,browser,long # of Java tests that the gate leaves out
readonly SUITE_JAVA_LIMIT_S=2400                    # of a gate's Java tests; beyond it, one of them hangs

suite_is_gate= # set: laws alone
suite_command=()
suite_java_inputs= # before they are built
suite_units=() # that have run
suite_passed=0
suite_failed=0
suite_skipped=0

suite_has() { # part
  [[ " ${SUITE_PARTS[*]} " == *" $1 "* ]]
}

suite_run() { # parts…; none: the gate
  local part parts=("$@")
  (($#)) || suite_is_gate=yes parts=("${SUITE_GATE[@]}")
  set --
  for part in "${parts[@]}"; do
    suite_leaves_out "$part" || set -- "$@" "$part"
  done
  suite_provide "$@"
  [[ -z $jdk_wanted ]] || jdk_provide
  if [[ -n $suite_is_gate ]]; then
    build_native
    build_modules=6 # laws hold beside anything
    suite_start tests "$@"
  else
    for part in "$@"; do
      build_native
      "suite_run_$part"
    done
  fi
  for part in "${suite_units[@]}"; do
    suite_judge "$part"
  done
  suite_tell "$@"
  ((suite_failed == 0 && suite_passed > 0))
}

suite_leaves_out() { # part
  [[ $(uname -m) != x86_64 && $1 =~ ^(kernels|platforms)$ ]] || return 1
  say "$1 is left out: it is for an x86_64 machine, this is $(uname -m)."
  suite_add 0 0 1
}

# The gate fetches nothing that is welcome: its tests beside other programs use what is here.
# shellcheck disable=SC2086,SC2206 # needs are words
suite_provide() { # parts…
  local row part without words needs=(compiler make jdk)
  for row in "${SUITE_NEEDS[@]}"; do
    IFS='|' read -r part without words <<<"$row"
    [[ " $* " != *" $part "* || -n $without ]] || needs+=($words)
  done
  build_begin "${needs[@]}"
  [[ -z $suite_is_gate ]] || return 0
  for row in "${SUITE_NEEDS[@]}"; do
    IFS='|' read -r part without words <<<"$row"
    [[ " $* " != *" $part "* || -z $without ]] || toolchain_seek "$without" $words
  done
  [[ " $* " != *" java "* ]] || prometheus_seek
  [[ " $* " != *" languages "* ]] || python_seek
}

# ---- the parts ----

suite_run_native() { suite_start "native tests" native; }
suite_command_native() {
  suite_command=("${build_make[@]}" ${suite_is_gate:+GATE=yes} test)
}

suite_run_java() { suite_start "Java tests" java; }
# Tests that fail do not end Maven, so that the modules behind them are tested as well.
suite_command_java() {
  local here=(THREADCLOCK_HOME="$root" THREADCLOCK_LIBRARY="$library" THREADCLOCK_HELPER="${library%/*}/threadclock-helper") # of no other part
  local options=(-fae -Dmaven.test.failure.ignore -D{surefire,failsafe}.rerunFailingTestsCount=1 verify)
  [[ -n $suite_is_gate ]] || build_bench=yes
  suite_java_inputs=$(build_java_inputs)
  build_java_clean "$suite_java_inputs"
  [[ -z $suite_is_gate ]] || options+=(-Dthreadclock.brief -DexcludedGroups="$SUITE_WIDE_TAGS")
  build_set_maven "$root" "${options[@]}"
  suite_command=(env "${here[@]}" ${suite_is_gate:+timeout --foreground "$SUITE_JAVA_LIMIT_S"} "${build_maven[@]}")
  suite_java_reports -exec rm -f -- {} +
}

suite_java_reports() { # what to do with them: arguments of find
  find "$root" -path '*/target/*-reports*/TEST-*.xml' "$@"
}

suite_run_checks() { suite_start checks checks; }
# The gate leaves out what builds all anew (what is published, and all Java for Error Prone), and what other tools judge.
suite_command_checks() {
  local pattern='launcher/test/*.t'
  [[ -z $suite_is_gate ]] || pattern='launcher/test/!(release|errorprone|style).t'
  suite_set_prove 2 "$pattern"
}

# From the checkout's folder: prove splits a path at spaces.
suite_set_prove() { # how many at a time, patterns of programs
  local programs
  mapfile -t programs < <(shopt -s extglob && cd -- "$root" && set -f && for pattern in $2; do compgen -G "$pattern" || true; done)
  suite_command=(env -C "$root" CC="$(toolchain_compiler)" prove --timer "-j$1" "${programs[@]}")
}

suite_run_analysis() {
  rm -f -- "$SUITE_COVERAGE"
  suite_start analysis analysis
  ! [[ -f $SUITE_COVERAGE ]] || grep -E '^coverage ' "$SUITE_COVERAGE" || true
  suite_fuzz_commands
}

suite_command_analysis() {
  suite_command=("${build_make[@]}" analysis)
}

# Jazzer fuzzes the input that commands read from others. Its driver exists for x86-64 only.
suite_fuzz_commands() {
  if [[ $(uname -m) != x86_64 ]]; then
    say "the commands are not fuzzed: Jazzer has no driver for $(uname -m)"
    return
  fi
  build_set_maven "$root" -q -pl cli -am -DskipTests process-test-classes
  build_must "building the fuzzers of the commands" java-fuzzers "${build_maven[@]}"
  suite_start "fuzzers of the commands" fuzzers
}

suite_command_fuzzers() {
  suite_set_prove 1 cli/src/test/sh/fuzz.t
}

# The packages for programs outside the JVM.
suite_run_languages() {
  # The test of the wheels would fetch it, and wait for this launcher's hold on the store.
  ! toolchain_has pip || zig_provide
  suite_start "tests of other languages" languages
}

# The gate has the promises alone.
suite_command_languages() {
  local names='*'
  [[ -z $suite_is_gate ]] || names=promises
  suite_set_prove 1 "native/test/$names.t bindings/*/test/$names.t"
}

# ---- running them ----

# Runs units beside one another. One that fails ends no other.
suite_start() { # title, units…
  local title=$1 unit script=''
  shift
  for unit in "$@"; do
    "suite_command_$unit"
    script+="suite_run_unit ${state@Q}/$unit ${suite_command[*]@Q} &"$'\n'
    suite_units+=("$unit")
  done
  job_step "running the $title" "$state/tests.log" bash -c "$(declare -f suite_run_unit); $script wait"
}

suite_run_unit() { # where to, command…
  local to=$1 status=0
  shift
  rm -rf -- "$to.tap" "$to.flaky" "$to.result"
  mkdir -- "$to.tap"
  SECONDS=0
  PERL_TEST_HARNESS_DUMP_TAP=$to.tap PATH=${to%/*}/../launcher/tries:$PATH "$@" >"$to.log" 2>&1 || status=$?
  printf '%d %d\n' "$status" "$SECONDS" >"$to.result"
  printf '%s: %d s\n' "${to##*/}" "$SECONDS"
}

suite_status() { # unit
  local status
  read -r status _ <"$state/$1.result" && printf '%d' "$status"
}

# Adds up a unit's tests. What no program is named for, as where a compiler failed, is at least one failure.
suite_judge() { # unit
  local unit=$1 passed failed skipped
  [[ $unit != java ]] || suite_java_reports | perl "$root/launcher/surefire.pl" "$state/java" >>"$state/java.log"
  read -r passed failed skipped < <(suite_count "$unit")
  if ((failed == 0)) && [[ $(suite_status "$unit") != 0 ]]; then failed=1; fi
  [[ ! -e $state/$unit.flaky ]] || sed "s/^/flaky: $unit /" "$state/$unit.flaky"
  printf '%s: %d passed, %d failed, %d skipped in %d s\n' "$unit" "$passed" "$failed" "$skipped" \
    "$(cut -d' ' -f2 "$state/$unit.result")"
  ((failed == 0)) || suite_show_failures "$unit"
  suite_add "$passed" "$failed" "$skipped"
}

# Prints the numbers of passed, failed and skipped tests.
suite_count() { # unit
  find "$state/$1.tap" -type f -exec cat -- {} + | awk '
    { line = tolower($0) }
    line ~ /^1\.\.0.*# *skip/ { skipped++; next }
    line ~ /^(not )?ok.*# *skip/ { skipped++; next }
    line ~ /^not ok/ { failed++; next }
    line ~ /^ok/ { passed++ }
    END { print passed + 0, failed + 0, skipped + 0 }'
}

suite_add() { # passed, failed, skipped
  suite_passed=$((suite_passed + $1))
  suite_failed=$((suite_failed + $2))
  suite_skipped=$((suite_skipped + $3))
}

suite_tell() { # parts…
  suite_tell_slowest
  if [[ " $* " == *" java "* ]]; then
    [[ $(suite_status java) != 0 ]] || build_java_note "$suite_java_inputs"
    suite_tell_jdks
  fi
  printf 'tests: %d passed, %d failed, %d skipped\n' "$suite_passed" "$suite_failed" "$suite_skipped"
}

suite_tell_slowest() {
  local logs=("${suite_units[@]/#/"$state/"}") slowest
  slowest=$(sed -nE 's/^(\[[0-9:]+\] )?([^ ]+) \.+ ok +([0-9]+) ms.*/\3 \2/p' "${logs[@]/%/.log}" | LC_ALL=C sort -rn |
    awk -v most="$SUITE_SLOWEST_SHOWN" 'NR <= most { printf "%s%s %.1f s", sep, $2, $1 / 1000; sep = ", " }')
  [[ -z $slowest ]] || printf 'slowest: %s\n' "$slowest"
}

suite_tell_jdks() {
  local features
  if [[ -n $suite_is_gate ]]; then
    # A few classes are for the oldest as well.
    jdk_chosen=()
    [[ -z $(jdk_homes_of "$JDK_AGENT_OLDEST") ]] && { [[ -n ${THREADCLOCK_JDKS:-} ]] || ! jdk_is_stored "$JDK_AGENT_OLDEST"; } ||
      jdk_chosen=("$JDK_AGENT_OLDEST")
    jdk_chosen+=("$(printf '%s\n' "${jdk_rows[@]%%$'\t'*}" | sort -n | tail -n 1)")
  fi
  ((${#jdk_chosen[@]})) || mapfile -t jdk_chosen < <(printf '%s\n' "${jdk_rows[@]%%$'\t'*}" | sort -nu)
  printf -v features ', %s' "${jdk_chosen[@]}"
  printf 'the agent was tested on JDK %s\n' "${features#, }"
}

# Each failed test with its diagnosis, under the program's name, and the modules that Maven left out for it.
suite_show_failures() { # unit
  local failures
  failures=$(suite_failures "$1")
  [[ -n $failures ]] || failures=$(tail -n "$SUITE_LINES_SHOWN" -- "$state/$1.log")
  printf '%s\n' "$failures" >&2
  sed -nE 's/^\[INFO\] (.*[^ .]) \.+ SKIPPED$/not tested for that: \1/p' "$state/$1.log" >&2
  ! failures=$(build_explain_fetching "$state/$1.log") || say "$failures"
  say "$1 failed as above; all of their output is in $state/$1.log"
}

suite_failures() { # unit
  find "$state/$1.tap" -type f | LC_ALL=C sort | while IFS= read -r tap; do
    awk -v program="${tap#"$state/$1.tap"/}" '
      /^not ok/ && tolower($0) !~ /# *skip/ { if (!failed++) print program; shown = 1; print "  " $0; next }
      /^ *#/ && shown { print "  " $0; next }
      { shown = 0 }' "$tap"
  done
}
