# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The part `analysis` of the suite: fuzzing, ThreadSanitizer, static analysis, coverage of the C core; fuzzing of the commands.

readonly ANALYSIS_TABLE=$root/threadclock-native/build/coverage/table

suite_needs_analysis() { printf 'prove gcov fuzzer tidy maven '; }

suite_run_analysis() {
  rm -f -- "$ANALYSIS_TABLE"
  suite_run_prove analysis "${build_make[@]}" analysis
  suite_show_closing_lines "$ANALYSIS_TABLE" '^coverage '
  analysis_fuzz_commands
}

# Input that the commands read of others, by Jazzer. Its driver is built for x86-64 alone.
analysis_fuzz_commands() {
  local log=$state/java-fuzzers.log
  if [[ $(uname -m) != x86_64 ]]; then
    say "the commands are not fuzzed: Jazzer has no driver for $(uname -m)"
    return
  fi
  if ! build_maven "building the fuzzers of the commands" "$log" -q -pl threadclock-cli -am -DskipTests process-test-classes; then
    build_explain_fetching "$log"
    suite_show_failures "fuzzers of the commands" "$log" ''
    suite_add 1 '0 0 0'
    return
  fi
  suite_run_prove "fuzzers of the commands" env -C "$root" prove threadclock-cli/src/test/sh/fuzz.t
}

# gcc's, whatever CC is: gcov reads what the same gcc has written.
toolchain_has_gcov() { command -v gcc >/dev/null && command -v gcov >/dev/null; }

# clang with libFuzzer and the sanitizers: their runtime is a package of its own.
toolchain_has_fuzzer() {
  printf 'int LLVMFuzzerTestOneInput(void) { return 0; }\n' |
    clang -fsanitize=fuzzer,address,undefined -x c -o /dev/null - >/dev/null 2>&1
}

toolchain_has_tidy() { command -v clang-tidy >/dev/null; }
