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

readonly REFUSED=77

reads_right() { # sentence, command of program/reader.c, whose source may be refused: sets said and status
  local sentence=$1
  status=0
  said=$(timeout 600 "${@:2}" 2>&1) || status=$?
  if ((status == REFUSED)); then
    skip "$sentence" "$said"
  else
    is "$status" 0 "$sentence"
    ((status == 0)) || tap_explain "$said"
  fi
}

dynamic() { # file, tag: its entries of the dynamic section
  readelf -dW "$1" | grep -F "($2)" || true
}

is_loaded_for_good() { # file
  like "$(dynamic "$1" FLAGS_1)" 'NODELETE' 'it is never unloaded: the kernel and other threads may still use it'
  like "$(dynamic "$1" FLAGS_1)" 'NOW' 'all its symbols are bound when it is loaded: none in a signal handler'
  none "$(dynamic "$1" FLAGS | grep -o 'STATIC_TLS' || true)" 'it can be loaded where no static TLS is left'
  none "$(dynamic "$1" NEEDED | grep -vE '\[(libc\.|ld-linux|ld-musl|libpthread\.|libdl\.)' || true)" 'it needs no library but libc'
}

# A folder of the test's own, which ends with it.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-test.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
