# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# A stamp is the list of the files that something was made from: path, size and time of change.
# A list and not only the newest time, so that a deleted file or another branch is noticed too.

stamp_list() { # paths relative to the checkout; tests of find(1) may follow
  (cd -- "$root" && find "$@" -type f -printf '%p\t%s\t%T@\n' | LC_ALL=C sort)
}

stamp_holds() { # stamp, list
  [[ -f $1 ]] && [[ $(<"$1") == "$2" ]]
}

# A file that is gone leaves what was made of it; an incremental build does not see that.
stamp_lost_file() { # stamp, list
  local path rest
  [[ -f $1 ]] || return 1
  while IFS=$'\t' read -r path rest; do
    [[ $rest == *$'\t'* && $'\n'$2 != *$'\n'"$path"$'\t'* ]] && return 0
  done <"$1"
  return 1
}

# In one step: an interrupted build leaves no stamp that could be believed.
stamp_write() { # stamp, list
  printf '%s\n' "$2" >"$1.new"
  mv -- "$1.new" "$1"
}
