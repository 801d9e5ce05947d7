# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# test --wide: every part in full, one after the other, each in a launcher of its own, so that one that fails or cannot run
# ends no other. What came out is written down in a file of the repository, whose lines test --report adds up:
#     run, commit, machine, kernel, libc, JDKs, load, steal in %, unit, program, sentence, verdict
# A verdict is green (of all programs that no other line names; the sentence has their number of tests), flaky K/N (K of N
# tries were red), red N/N, not run, or left out on this machine. The gate writes the same lines of what it had to try again, into the store.

readonly RECORD_RESULTS=$root/launcher/wide.tsv
readonly RECORD_FLAKES=flakes.tsv # in the store
readonly RECORD_TRIES=2           # of what was red, beyond the first
readonly RECORD_RUNS=20           # that are reported
readonly RECORD_PARTS=("${SUITE_PARTS[@]}" accuracy bench soak)
readonly RECORD_FOLDER=$state/wide # of a run that is not over: `begun`, and PART.tsv of each part that is

record_file=${THREADCLOCK_RECORD-} # set: this launcher runs a part of a wide run, which wants the lines there
record_begun=${THREADCLOCK_RUN-}
record_is_strict= # set: what is red or did not run makes the run fail

record_wide() {
  local part
  record_go_on
  for part in "${RECORD_PARTS[@]}"; do
    if [[ -e $RECORD_FOLDER/$part.tsv ]]; then
      say "$part: done before"
      continue
    fi
    record_part "$part"
    cat -- "$RECORD_FOLDER/$part.new" >>"$RECORD_RESULTS"
    mv -- "$RECORD_FOLDER/$part.new" "$RECORD_FOLDER/$part.tsv"
  done
  rm -rf -- "$RECORD_FOLDER"
  record_report
  [[ -z $record_is_strict ]] || ! record_is_red
}

# A run that was interrupted goes on, if the sources are the same.
record_go_on() {
  local commit begun_commit
  commit=$(record_commit)
  if read -r record_begun begun_commit 2>/dev/null <"$RECORD_FOLDER/begun" && [[ $begun_commit == "$commit" ]]; then
    say "going on with the wide run of $commit that was begun at $record_begun; without it: rm -r $RECORD_FOLDER"
  else
    rm -rf -- "$RECORD_FOLDER"
    mkdir -p -- "$RECORD_FOLDER"
    record_begun=$(date -u +%FT%H:%MZ)
    printf '%s %s\n' "$record_begun" "$commit" >"$RECORD_FOLDER/begun"
  fi
  export THREADCLOCK_RUN=$record_begun
}

record_part() { # part
  local part=$1 command=("$root/threadclock" test "--$1") status=0
  export THREADCLOCK_RECORD=$RECORD_FOLDER/$part.new
  record_file=$THREADCLOCK_RECORD
  rm -f -- "$record_file" "$record_file.why"
  : >"$record_file"
  case $part in
    java) command+=(--jdks=all) ;;
    accuracy) command=("$root/threadclock" accuracy --quick) ;;
    bench) command=("$root/threadclock" bench) ;;
    soak) command=("$root/threadclock" soak --minutes=5) ;;
  esac
  say "wide run: $part"
  if suite_has "$part"; then
    job_run "${command[@]}" || status=$?
  else
    record_command "$part" "${command[@]}"
  fi
  [[ -s $record_file ]] || record_row "$record_file" '' '' "$part" '*' \
    "$(cat -- "$record_file.why" 2>/dev/null || printf 'it ended with status %d' "$status")" 'not run'
  rm -f -- "$record_file.why"
  unset THREADCLOCK_RECORD
}

# One that says by its status whether its promises held. Where it did not begin, it has said why.
record_command() { # part, command…
  local part=$1 log=$state/wide-$1.log try failures=0 sentence='' stolen
  shift
  stolen=$(suite_stolen)
  for ((try = 0; try <= RECORD_TRIES; try++)); do
    if ! job_step "running ${*#"$root/"}" "$log.$try" "$@"; then
      failures=$((failures + 1))
      [[ -n $sentence ]] || sentence=$(awk '/BROKEN/ && !broken { broken = $0 } NF { last = $0 } END { if (broken) last = broken; gsub(/\t/, " ", last); print last }' "$log.$try")
    fi
    ((failures > 0)) || break
    [[ ! -e $record_file.why ]] || return 0
  done
  case $failures in
    0) set -- green ;;
    "$try") set -- "red $try/$try" ;;
    *) set -- "flaky $failures/$try" ;;
  esac
  record_row "$record_file" "$(suite_load)" "$(suite_stolen "$stolen")" "$part" '*' "$sentence" "$1"
}

record_row() { # file, load, steal, unit, program, sentence, verdict
  local file=$1 machine libc jdks
  shift
  machine="$(nproc) x $(sed -n '/^model name/ { s/.*: //p; q }' /proc/cpuinfo)"
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || libc=musl
  jdks=${jdk_chosen[*]:-$(printf '%s\n' "${jdk_rows[@]%%$'\t'*}" | sort -nu | tail -n 1)}
  {
    printf '%s\t' "${record_begun:-$(date -u +%FT%H:%MZ)}" "$(record_commit)" "$machine" "$(uname -r)" "$libc" "$jdks" \
      "${@:1:5}"
    printf '%s\n' "$6"
  } >>"$file"
}

# With a + if files differ from it, others than the results.
record_commit() {
  local commit
  if ! commit=$(git -C "$root" rev-parse --short=10 HEAD 2>/dev/null); then
    printf unknown
  elif [[ -n $(git -C "$root" status --porcelain -- . ":!${RECORD_RESULTS#"$root/"}") ]]; then
    printf '%s+' "$commit"
  else
    printf '%s' "$commit"
  fi
}

# ---- what they say ----

record_report() {
  if [[ ! -s $RECORD_RESULTS ]]; then
    printf 'wide runs: none in %s\n' "$RECORD_RESULTS"
  else
    awk -F '\t' -v most="$RECORD_RUNS" '
      !($1 in seen) { seen[$1] = ++runs; begun[runs] = $1; commit[runs] = $2 }
      {
        id = $9 " " $10; run = seen[$1]
        verdict[id, run] = $12; sentence[id] = $11
        if (!(id in known)) { known[id]; ids[++n] = id }
      }
      function list(title, pattern,    i, text) {
        for (i = 1; i <= n; i++) if (verdict[ids[i], runs] ~ pattern) text = text sprintf("  %s: %s%s\n", ids[i], sentence[ids[i]], since(ids[i]))
        if (text != "") printf "%s:\n%s", title, text
      }
      function since(id,    run) {
        if (verdict[id, runs] !~ /^red/) return ""
        for (run = runs; run > 1 && verdict[id, run - 1] ~ /^red/; run--) ;
        return " (since " commit[run] ", " begun[run] ")"
      }
      END {
        first = runs > most ? runs - most + 1 : 1
        printf "wide runs: %d, the last of %s, begun at %s\n", runs, commit[runs], begun[runs]
        list("red", "^red"); list("not run", "^not run")
        for (i = 1; i <= n; i++) {
          flaky = 0
          for (run = first; run <= runs; run++) flaky += verdict[ids[i], run] ~ /^flaky/
          if (flaky) text = text sprintf("  %d of %d  %s\n", flaky, runs - first + 1, ids[i])
        }
        if (text != "") printf "flaky in the last %d:\n%s", runs - first + 1, text
      }' "$RECORD_RESULTS"
  fi
  [[ ! -s $store/$RECORD_FLAKES ]] || {
    printf 'tried again by ./threadclock test on this machine:\n'
    awk -F '\t' '{ n[$9 " " $10]++ } END { for (id in n) printf "  %d  %s\n", n[id], id }' "$store/$RECORD_FLAKES" | sort -k 1nr -k 2
  }
}

# Whether the last run has a verdict that a release may not have.
record_is_red() {
  awk -F '\t' '$1 != run { run = $1; red = 0 } $12 ~ /^(red|not run)/ { red = 1 } END { exit !red }' "$RECORD_RESULTS"
}

# Whether the last run was of the sources that HEAD has: documents and results may differ.
record_is_of_head() {
  local commit
  commit=$(tail -n 1 -- "$RECORD_RESULTS" 2>/dev/null | cut -f 2) && [[ -n $commit ]] || return 1
  git -C "$root" diff --quiet "$commit" HEAD -- . ":!${RECORD_RESULTS#"$root/"}" ':!*.md' 2>/dev/null
}
