#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The accuracy laboratory: what it prints, and that an error shows. How exact the readers are is no matter of
# this test: that depends on who else uses the machine.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly accuracy=$BUILD/accuracy/accuracy
readonly NAME='[a-z0-9:-]+' NUMBER='-?[0-9]+\.[0-9]+'
readonly OVER='(10ms|100ms|1s|request|thread|truth|period)' QUANTITY='(user|cpu|cost|more|user-share|crosscheck|away|wait|waiting)'
readonly ROW="^$NAME $OVER $NAME $QUANTITY mean $NUMBER [1-9][0-9]*\$"
readonly LINE='^\{"answer": \{"subject": \{"benchmark": "accuracy\.(.*)", "contender": "(.*)", "quantity": "(.*)", "workload": "(.*)"\}, "unit": "(?:points|ns|%)", (?:"samples": (\d+), "statistics": \{"mean": (.*)\}|"rounds": \[(.*)\])\}\}$'

run() { # options…
  "$accuracy" "$@" 2>"$scratch/progress"
}

# A row of words for each quantity: the mean, and of how many windows; notes, and lines that are no measurement, as they are.
run_rows() { # options…
  run "$@" >"$scratch/rows" || return
  PATTERN=$LINE perl -MList::Util=sum -ne 'if (/$ENV{PATTERN}/) {
      my ($over, $reader, $quantity, $workload, $samples, $mean, $figures) = ($1, $2, $3, $4, $5, $6, $7);
      if (defined $figures) {
        my @figures = split /, /, $figures;
        next print unless @figures == grep { /^-?\d+\.\d+$/ } @figures;
        ($samples, $mean) = (scalar @figures, sprintf "%.3f", sum(@figures) / @figures);
      }
      print "$workload $over $reader $quantity mean $mean $samples\n";
    } else { print }' "$scratch/rows"
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

for options in '--workload=spin,requests-alike --split=proc,ticks,kernel,smoothed' '--workload=requests-pure --split=periods' \
  --workload=waits; do
  # Split on purpose.
  # shellcheck disable=SC2086
  rows=$(run_rows --quick $options)
  is "$?" 0 "a quick run succeeds: $options"
  none "$(printf '%s\n' "$rows" | grep -v '^#' | grep -vP "$ROW")" \
    'each row has workload, over, reader, quantity, figures and their number'
done

# ---- errors show ----

rows=$(run_rows --quick --workload=spin --split=smoothed --plant=reader)
at_most "$(awk '/^spin 10ms smoothed user mean / { printf "%.0f", $6 }' <<<"$rows")" -50 \
  'a reader that takes user time for system time shows as an error of that size, in points'

done_testing
