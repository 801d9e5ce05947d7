#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The accuracy laboratory: what it prints, and that an error shows. How exact the readers are is no matter of
# this test: that depends on who else uses the machine.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly accuracy=$BUILD/accuracy/accuracy
readonly NAME='[a-z0-9:-]+' NUMBER='-?[0-9]+\.[0-9]+'
readonly OVER='(10ms|100ms|1s|request|thread|truth|period)' QUANTITY='(user|cpu|cost|more|user-share|crosscheck|away|wait|waiting)'
readonly ROW="^$NAME $OVER $NAME $QUANTITY (bias|mean|p95|ticks|median|spread) $NUMBER [1-9][0-9]*\$"
readonly LINE='^\{"answer": \{"subject": \{"benchmark": "accuracy\.(.*)", "contender": "(.*)", "quantity": "(.*)", "workload": "(.*)"\}, "unit": "(?:points|ns|%)", "samples": (\d+), "statistics": \{(.*)\}\}\}$'

run() { # options…
  "$accuracy" "$@" 2>"$scratch/progress"
}

# Its figures, a row of words for each statistic; notes, and lines that are no measurement, as they are.
run_rows() { # options…
  run "$@" >"$scratch/rows" || return
  PATTERN=$LINE perl -ne 'if (/$ENV{PATTERN}/) {
      my ($over, $reader, $quantity, $workload, $samples, $statistics) = ($1, $2, $3, $4, $5, $6);
      print "$workload $over $reader $quantity $1 $2 $samples\n" while $statistics =~ /"(\w+)": (-?[\d.]+)/g;
    } else { print }' "$scratch/rows"
}

# The value of one row, as a whole number.
value() { # rows, fields before the value…
  local rows=$1 start
  shift
  start=$(printf '%s ' "$@")
  printf '%s\n' "$rows" | awk -v start="$start" 'index($0, start) == 1 { printf "%.0f", $6 }'
}

is_between() { # actual, low, high, sentence
  if [[ $1 =~ ^-?[0-9]+$ ]] && (($1 >= $2 && $1 <= $3)); then
    tap_result ok "$4 ($1)"
  else
    tap_result 'not ok' "$4"
    tap_explain "expected: $2 to $3"
    tap_explain "     got: $1"
  fi
}

status_of() { # options…
  run "$@" >"$scratch/out"
  printf '%d' "$?"
}

# ---- its options ----

is "$(status_of --workload=none)" 2 'a workload that there is not is bad usage'
like "$(cat "$scratch/progress")" '--workload=none.*--list' '... and it says where the names are'
is "$(status_of --split=none)" 2 'a split that there is not is bad usage'
is "$(status_of --none)" 2 'an option that there is not is bad usage'
is "$(status_of spin)" 2 'a word that is no option is bad usage'
is "$(status_of --help)" 0 'help is no error'
is "$(run --list | wc -l)" 20 'there are nineteen workloads, and threads that wait'

# ---- its rows ----

rows=$(run_rows --quick --workload=spin,requests-alike --split=proc,ticks,kernel,smoothed)
is "$?" 0 'a quick run of two workloads succeeds'
none "$(printf '%s\n' "$rows" | grep -v '^#' | grep -vP "$ROW")" \
  'each row has workload, over, reader, quantity, statistic, value and number of windows'
for reader in proc ticks kernel smoothed; do
  is "$(printf '%s\n' "$rows" | grep -cP "^requests-alike request $reader user ")" 4 \
    "the user time of requests by $reader has bias, mean, 95th percentile and the bias of ticks"
done
is_between "$(value "$rows" spin truth - user-share mean)" 95 100 'computing is user time'
is_between "$(value "$rows" spin truth - crosscheck mean)" 0 5 'two ways to the truth of computing agree'
is_between "$(value "$rows" requests-alike truth - user-share mean)" 35 65 \
  'half of a request is user time'

# A counter that goes on while the thread does not run misleads by one window of extrapolation at most.
is_between "$(value "$rows" spin 10ms smoothed cpu p95)" 0 4000000 \
  "CPU time is within a window of 4 ms of the kernel's"

# All ticks find a spin in user mode but those that meet a system call of the readers.
is_between "$(value "$rows" spin 10ms smoothed user bias)" -45 5 'computing is read as user time'

# ---- by period ----

rows=$(run_rows --quick --workload=requests-pure,getppid --split=periods)
is "$?" 0 'a quick run of the periods of sampled succeeds'
none "$(printf '%s\n' "$rows" | grep -v '^#' | grep -vP "$ROW")" 'its rows have the same parts'
is "$(printf '%s\n' "$rows" | grep -cP "^requests-pure period (kernel|smoothed) more (median|spread) ")" 4 \
  'kernel and smoothed have a price'
none "$(printf '%s\n' "$rows" | grep -P '^getppid ')" 'workloads that are not for it are left out'
if grep -q '^# requests-pure: .* is used instead' <<<"$rows"; then
  skip 'each period has a price and an error' 'sampling perf events'
else
  is "$(printf '%s\n' "$rows" | grep -cP "^requests-pure period sampled:(90us|250us|500us|1ms|2ms|5ms|10ms) ")" 35 \
    'each period has a price and an error'
fi

# ---- waits ----

rows=$(run_rows --quick --workload=waits)
is "$?" 0 'a quick run of threads that wait succeeds'
none "$(printf '%s\n' "$rows" | grep -v '^#' | grep -vP "$ROW")" 'its rows have the same parts'
for workload in waits-crowded waits-idle-class waits-quota; do
  if grep -q "^# $workload: left out" <<<"$rows"; then
    skip "run-queue delay of $workload is the time in which the thread did not run" 'a control group with a CPU quota'
    continue
  fi
  is_between "$(value "$rows" "$workload" truth - waiting mean)" 20 100 "$workload: the thread waits"
  # A kernel that takes the hypervisor's time from a thread's CPU time counts it nowhere.
  is_between "$(value "$rows" "$workload" 100ms waits wait p95)" 0 20 \
    "$workload: run-queue delay is nearly all of the time in which the thread did not run"
done

# ---- errors show ----

planted=$(run_rows --quick --workload=spin --split=smoothed --plant=truth)
is_between "$(value "$planted" spin 10ms smoothed user bias)" 50 105 \
  'a wrong truth shows as an error of that size'
planted=$(run_rows --quick --workload=spin --split=smoothed --plant=reader)
is_between "$(value "$planted" spin 10ms smoothed user bias)" -105 -50 \
  'a reader that takes user time for system time shows as an error of that size'

planted=$(run_rows --quick --workload=waits --plant=reader)
is_between "$(value "$planted" waits-crowded 100ms waits wait bias)" -100 -20 \
  'a reader that knows no waits shows as an error of that size'

# ---- its end ----

# Ending the program ends what it has started. The child is stopped first, so that it cannot end by itself, once it
# has computed: it has then asked for its parent's end. The program tells of a run just before it starts it.
readonly PATIENCE_S=60

child_of() { # pid
  grep -lsE "^PPid:[[:space:]]+$1\$" /proc/[0-9]*/status | tr -dc '0-9\n' | head -n 1
}

cpu_ticks() { # pid
  awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null || printf 1
}

mkfifo "$scratch/told"
"$accuracy" --workload=spin --split=smoothed >"$scratch/out" 2>"$scratch/told" &
readonly parent=$!
disown "$parent" # its end is no news
exec {told}<"$scratch/told"
read -r -u "$told" _
child=
while [[ -z $child && -d /proc/$parent ]]; do
  child=$(child_of "$parent")
done
while (($(cpu_ticks "$child") == 0)); do sleep 0.01; done
kill -STOP "$child"
kill -KILL "$parent"
is "$(timeout "$PATIENCE_S" tail --pid="$child" -s 0.1 -f /dev/null && echo ended)" ended 'a run that is killed takes its child along'
kill -KILL "$child" 2>/dev/null

done_testing
