# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# TAP for bash: each test is a sentence that is true of the code.

tap_count=0
tap_root=$(CDPATH='' cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) # tests change the folder afterwards
exec {tap_out}>&1

# A command that is not there fails the test that calls it, also in a substitution, where its status would be lost.
command_not_found_handle() { # command, arguments
  printf 'not ok - %s, line %d: there is no command %s\n' "${BASH_SOURCE[1]##*/}" "${BASH_LINENO[0]}" "$1" >&"$tap_out"
  return 127
}

tap_result() { # ok or not ok, sentence
  tap_count=$((tap_count + 1))
  printf '%s %d - %s\n' "$1" "$tap_count" "$2"
}

tap_explain() { # text
  printf '%s\n' "$1" | sed 's/^/# /'
}

tap_fail() { # sentence, what is expected, what it got
  tap_result 'not ok' "$1"
  tap_explain "expected$2"
  tap_explain "     got: $3"
}

is() { # actual, expected, sentence
  if [[ $1 == "$2" ]]; then tap_result ok "$3"; else tap_fail "$3" ": $2" "$1"; fi
}

none() { # findings, each of which is reported, sentence
  is "$1" '' "$2"
}

like() { # actual, regular expression, sentence
  if [[ $1 =~ $2 ]]; then tap_result ok "$3"; else tap_fail "$3" " to match: $2" "$1"; fi
}

unlike() { # actual, regular expression, sentence
  if [[ $1 =~ $2 ]]; then tap_fail "$3" " not to match: $2" "$1"; else tap_result ok "$3"; fi
}

skip() { # sentence, what is missing
  tap_count=$((tap_count + 1))
  printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

documented() { # language, file from the checkout's folder on: what its blocks of that language say
  sed -n "/^\`\`\`$1$/,/^\`\`\`$/p" "$tap_root/$2" | sed '/^```/d'
}

done_testing() {
  printf '1..%d\n' "$tap_count"
}
