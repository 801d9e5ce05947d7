# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# test --wide: every part in full, one after the other, each in a launcher of its own, so that one that fails or cannot run
# ends no other. One file per run has what came out.

readonly WIDE_PARTS=("${SUITE_PARTS[@]}" accuracy bench soak)
readonly WIDE_FOLDER=$state/wide

wide_run() {
  local part red=()
  wide_file=$WIDE_FOLDER/$(date -u +%FT%H%M%SZ).txt
  mkdir -p -- "$WIDE_FOLDER"
  printf 'commit %s on %s, Linux %s\n' "$(git -C "$root" describe --always --dirty 2>/dev/null)" "$(nproc) CPUs" "$(uname -r)" >"$wide_file"
  for part in "${WIDE_PARTS[@]}"; do
    suite_leaves_out "$part" || wide_part "$part" || red+=("$part")
  done
  printf 'wide run: %d of %d parts are red%s; all of them: %s\n' "${#red[@]}" "${#WIDE_PARTS[@]}" "${red[*]/#/ }" "$wide_file"
  ((${#red[@]} == 0))
}

# Prints what it said if it is red.
wide_part() { # part
  local part=$1 log=$state/wide.log command=("$root/threadclock" test "--$1") verdict=green
  case $part in
    java) command+=(--jdks=all) ;;
    accuracy) command=("$root/threadclock" accuracy --quick) ;;
    bench) command=("$root/threadclock" bench) ;;
    soak) command=("$root/threadclock" soak --minutes=5) ;;
  esac
  job_step "running ${command[*]#"$root/"}" "$log" "${command[@]}" || verdict=red
  printf '\n== %s is %s\n' "$part" "$verdict" | tee -a "$wide_file"
  cat -- "$log" >>"$wide_file"
  [[ $verdict == green ]] || { cat -- "$log" && return 1; }
}
