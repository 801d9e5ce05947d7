# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts the command line program: doctor, attach, detach, run, top, record, report.

readonly CLI_MODULE=threadclock-cli
readonly CLI_NO_PROGRAM=127 # what shells answer
readonly CLI_WITHOUT_RSEQ=--without-libc-rseq
readonly CLI_RSEQ_TUNABLE=glibc.pthread.rseq

# What record and report need where a JDK knows these options: QuestDB 9.3.4 writes into objects where their fields are
# with usual headers, and newer JDKs warn of how it does so.
readonly CLI_FOR_QUESTDB=(-XX:+IgnoreUnrecognizedVMOptions -XX:-UseCompactObjectHeaders --sun-misc-unsafe-memory-access=allow
  --enable-native-access=ALL-UNNAMED)

cli_java=() # the program, before its arguments

cli_start() { # subcommand, arguments…
  build_is_done || build_all
  build_release_lock
  cli_find_java
  job_become "${cli_java[@]}" "$@"
}

# Without the variables that are meant for others: two JVMs cannot have one debugger's port. The program's own is
# divided at spaces.
cli_find_java() {
  local options
  read -r -a options <<<"${THREADCLOCK_JAVA_OPTIONS:-}"
  cli_java=(env -u JAVA_TOOL_OPTIONS -u JDK_JAVA_OPTIONS -u _JAVA_OPTIONS THREADCLOCK_LIBRARY="$library"
    "$(jdk_build_home)/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto
    "${CLI_FOR_QUESTDB[@]}"
    -cp "$root/$CLI_MODULE/target/$CLI_MODULE.jar:$root/$CLI_MODULE/target/lib/*" "${options[@]}" io.threadclock.cli.ThreadClock)
}

# The program takes this shell's place, so that its pid, streams, signals and status are what they
# would be without us.
cli_run() { # options…, --, program, arguments…
  local options=()
  if [[ ${1:-} == -* ]]; then
    while (($#)) && [[ $1 != -- ]]; do options+=("$1") && shift; done
    (($# == 0)) || shift
  fi
  if (($# == 0)); then
    case " ${options[*]} " in *" --help "* | *" -h "*) cli_start run --help && return ;; esac
    usage_refuse "run: the program is missing; it follows --, as in ./threadclock run --verbose -- java -jar app.jar"
  fi
  # By a process of its own: what a build puts into the environment is not for the program.
  (build_is_done) || "$root/threadclock" build >/dev/null || return
  if ! type -P -- "$1" >/dev/null; then
    say "run: there is no program '$1'. Give its path, or a name that PATH leads to."
    return "$CLI_NO_PROGRAM"
  fi
  cli_attach_beside "${options[@]}" -- "$1" || return
  case " ${options[*]} " in *" $CLI_WITHOUT_RSEQ "*) cli_switch_off_rseq ;; esac
  job_become "$@"
}

# glibc's rseq, in the program alone: its other tunables stay.
cli_switch_off_rseq() {
  local tunable tunables=() kept=''
  IFS=: read -r -a tunables <<<"${GLIBC_TUNABLES:-}"
  for tunable in "${tunables[@]}"; do
    [[ $tunable == "$CLI_RSEQ_TUNABLE="* ]] || kept+=$tunable:
  done
  export GLIBC_TUNABLES=$kept$CLI_RSEQ_TUNABLE=0
}

# Goes on beside the program, as nobody's child: neither the program nor who started it has to wait
# for it. Where there are options it is awaited until it has understood them.
cli_attach_beside() { # options…, --, name of the program
  local answer=ready answers
  jdk_find
  cli_find_java
  cli_java+=(run --pid="$$")
  if [[ $1 == -- ]]; then
    ("${cli_java[@]}" "$@" </dev/null >/dev/null {job_stderr}>&- &)
    return
  fi
  exec {answers}< <({ "${cli_java[@]}" "$@" || printf '%d\n' "$?"; } </dev/null {job_stderr}>&- &)
  wait "$!"
  read -r answer <&"$answers" || answer=1
  exec {answers}<&-
  [[ $answer == ready ]] || return "$answer"
}
