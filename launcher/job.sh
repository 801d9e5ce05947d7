# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# A job is a command in a process group of its own, so that nothing of it outlives the launcher. This file also has the
# messages about jobs. They go to standard error, because standard output is for results.

readonly CONSOLE_WIDTH=78 # of the line that is written over; one that wraps could not be
readonly JOB_DEATH_MS=10000    # the time in which a job must end after SIGTERM, before SIGKILL
readonly JOB_ANNOUNCE_MS=1000  # a shorter step is not worth a line
readonly JOB_HEARTBEAT_MS=30000 # where lines cannot be overwritten

job=            # pid and process group of the running job; `new`: it may have begun
job_former=     # the value of $! before
job_kill=()     # how to signal it: through sudo where it is root's
job_unbroken=   # set: the job is finished even on Ctrl-C; the text says what it is
job_stderr=     # the launcher's own, whatever is redirected when a signal comes
job_scratch=    # TMPDIR of all jobs, once one has started
job_tmpdir=${TMPDIR-} # before that

say() {
  printf 'threadclock: %s\n' "$*" >&2
}

fail() { # what was tried, what answered, what to do
  say "$*"
  exit 1
}

console_is_terminal() {
  [[ -t 2 && ${TERM:-dumb} != dumb ]]
}

console_overwrite() { # text; none: only erases
  local text=${1:-}
  printf '\r\e[K%s' "${text:0:CONSOLE_WIDTH}" >&2
}

# Sets now_ms. No subshell prints it: bash drops a SIGINT that comes, to it alone, while it waits for the end of one.
console_read_clock() {
  now_ms=$((${EPOCHREALTIME/[.,]/} / 1000))
}

job_catch_signals() {
  exec {job_stderr}>&2
  trap job_leave EXIT
  trap 'job_interrupted 130' INT
  trap 'job_interrupted 143' TERM
  trap 'job_interrupted 129' HUP
  trap 'job_interrupted 141' PIPE
}

job_interrupted() { # exit status
  trap '' INT TERM HUP PIPE
  exec 2>&"$job_stderr" # job_wait, which is interrupted, has sent it elsewhere
  ! console_is_terminal || console_overwrite
  if [[ $job == new ]]; then
    job=${!-}
    [[ $job != "$job_former" ]] || job=
  fi
  if [[ -n $job && -n $job_unbroken ]]; then
    say "$job_unbroken is finished first, so that nothing is left half-installed."
    wait "$job" || true
  elif [[ -n $job ]]; then
    job_end
  fi
  exit "$1"
}

job_end() {
  local now_ms deadline_ms
  console_read_clock
  deadline_ms=$((now_ms + JOB_DEATH_MS))
  job_signal TERM
  while kill -0 -- "-$job" 2>/dev/null && ((now_ms < deadline_ms)); do
    sleep 0.05
    console_read_clock
  done
  job_signal KILL
  { wait "$job" || true; } 2>/dev/null
}

job_signal() { # name
  # The shell's own kill: the program of that name is not on every machine.
  # shellcheck disable=SC2016
  "${job_kill[@]}" bash -c 'kill -s "$1" -- "-$2"' kill "$1" "$job" 2>/dev/null || true
}

# Waits for the job, because it would continue without its temporary folder.
job_leave() {
  [[ -z $job ]] || job_end
  [[ -z $job_scratch ]] || rm -rf -- "$job_scratch"
}

job_ensure_scratch() {
  [[ -z $job_scratch ]] || return 0
  job_scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock.XXXXXX") ||
    fail "creating a temporary directory in ${TMPDIR:-/tmp} failed. Make it writable, or set TMPDIR to a directory that is."
  export TMPDIR=$job_scratch
}

# Job control gives the job its own group, and with it SIGINT and SIGQUIT that are not ignored.
# SIGTTOU is, so that a job of the background may write to a terminal set to `stty tostop`.
job_start() { # command…
  job_ensure_scratch
  job_former=${!-} job=new
  set -m
  (
    trap '' TTOU
    exec "$@"
  ) </dev/null &
  job=$!
  set +m
}

# Hides bash's own report of a job that was killed, because the user sees the launcher's message.
job_wait() {
  local status=0
  { wait "$job" || status=$?; } 2>/dev/null
  job=
  return "$status"
}

# Passes the job's output on to the user.
job_run() { # command…
  job_start "$@"
  job_wait
}

# The command replaces this shell, with its pid, terminal, signals and status, so that keys and ^Z work as usual.
job_become() { # command…
  job_leave
  trap - EXIT INT TERM HUP PIPE
  exec {job_stderr}>&-
  if [[ -n $job_tmpdir ]]; then TMPDIR=$job_tmpdir; else unset TMPDIR; fi
  exec "$@"
}

# Sends the output to a log, and shows progress in a line that is overwritten.
job_step() { # title, log, command…
  local title=$1 log=$2 now_ms status=0
  shift 2
  console_read_clock
  job_ensure_scratch
  job_start "$@" >"$log" 2>&1
  job_watch "$title" "$log" "$now_ms"
  job_wait || status=$?
  return "$status"
}

job_watch() { # title, log, begin in ms
  local title=$1 log=$2 begin_ms=$3 now_ms elapsed_ms=0 next_ms=$JOB_ANNOUNCE_MS nap=0.02
  while kill -0 "$job" 2>/dev/null; do
    if ((elapsed_ms >= next_ms)); then
      job_announce "$title" "$log" "$elapsed_ms"
      nap=0.2
      if console_is_terminal; then next_ms=$elapsed_ms; else next_ms=$((elapsed_ms + JOB_HEARTBEAT_MS)); fi
    fi
    sleep "$nap"
    console_read_clock
    elapsed_ms=$((now_ms - begin_ms))
  done
  if console_is_terminal; then console_overwrite; fi
  if ((elapsed_ms >= JOB_ANNOUNCE_MS)); then say "$title: $((elapsed_ms / 1000)).$((elapsed_ms % 1000 / 100)) s"; fi
}

job_announce() { # title, log, elapsed in ms
  local latest
  if console_is_terminal; then
    latest=$(tail -c 400 -- "$2" | tr -d '\r\033' | tail -n 1)
    console_overwrite "$1 … $(($3 / 1000)) s  $latest"
  elif (($3 < JOB_HEARTBEAT_MS)); then
    say "$1 …"
  else
    say "$1 … $(($3 / 1000)) s"
  fi
}
