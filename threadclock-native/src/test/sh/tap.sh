# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# TAP for the shell tests of the native build, beside what the launcher's has: each test is a sentence that is true of
# what was built.
# make(1) passes where that is: BUILD, and how it was made: CC, CFLAGS, MAKE, JAVA_HOME, VERSION, and
# KINDS, the sanitizers that there are. prove(1) starts the tests in the folder of the Makefile.

# shellcheck source=../../launcher/test/tap.sh
source "${BASH_SOURCE[0]%/*}/../../../../launcher/test/tap.sh"

# shellcheck disable=SC2034 # not every test looks at it
readonly library=$BUILD/libthreadclock.so

at_most() { # actual, limit, sentence
  if [[ $1 =~ ^-?[0-9]+$ ]] && (($1 <= $2)); then
    tap_result ok "$3 ($1)"
  else
    tap_result 'not ok' "$3"
    tap_explain "expected: $2 or less"
    tap_explain "     got: $1"
  fi
}

succeeds() { # sentence, command…: what it says is shown if it fails
  local sentence=$1 said
  shift
  if said=$("$@" 2>&1); then
    tap_result ok "$sentence"
  else
    tap_result 'not ok' "$sentence"
    tap_explain "$*"
    tap_explain "$said"
  fi
}

# A folder of the test's own, which ends with it.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-test.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
