# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The part `analysis` of the suite: fuzzing, ThreadSanitizer, static analysis, coverage of the C core.

readonly ANALYSIS_TABLE=$root/threadclock-native/build/coverage/table

suite_needs_analysis() { printf 'prove gcov fuzzer tidy '; }

suite_run_analysis() {
  rm -f -- "$ANALYSIS_TABLE"
  suite_run_prove analysis "${build_make[@]}" analysis
  suite_show_closing_lines "$ANALYSIS_TABLE" '^coverage '
}

# gcc's, whatever CC is: gcov reads what the same gcc has written.
toolchain_has_gcov() { command -v gcc >/dev/null && command -v gcov >/dev/null; }

# clang with libFuzzer and the sanitizers: their runtime is a package of its own.
toolchain_has_fuzzer() {
  printf 'int LLVMFuzzerTestOneInput(void) { return 0; }\n' |
    clang -fsanitize=fuzzer,address,undefined -x c -o /dev/null - >/dev/null 2>&1
}

toolchain_has_tidy() { command -v clang-tidy >/dev/null; }
