#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Real processes and real signals: each waits until the job says that it runs, not for a time.
#
# A shell that starts this in the background has SIGINT ignored in all that runs here, for good: no
# shell can undo that for itself.
readonly SIGINT_BIT=2
ignored=$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status)
if ((0x$ignored & SIGINT_BIT)); then
  exec env --default-signal=INT,QUIT bash "$0" "$@"
fi

source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

# A job that has a child of its own and a temporary folder, and does not end by itself.
readonly endless='mkdir "$TMPDIR/work"; sleep 987 & echo $$ $! >"$TMPDIR/../pids"; wait'

start_and_interrupt() { # signal, arguments…
  local signal=$1
  shift
  rm -f "$sandbox/tmp/pids"
  sandbox_start "$@"
  until [[ -s $sandbox/tmp/pids ]] || ! kill -0 "$launcher" 2>/dev/null; do sleep 0.02; done
  read -r -a pids <"$sandbox/tmp/pids"
  kill -s "$signal" "$launcher"
  kill_if_it_hangs &
  sandbox_wait
  kill "$!" 2>/dev/null
}

# Its sleep would keep the output open for whoever waits for the end of it.
kill_if_it_hangs() {
  exec >/dev/null 2>&1
  sleep 300 & # 5 min
  trap 'kill $!' TERM
  wait "$!" && kill -KILL "$launcher" "${pids[@]}"
}

alive() { # pids…
  local pid
  for pid in "$@"; do
    if kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null; then printf '%s ' "$pid"; fi
  done
}

ends() { # status, signal, arguments of the launcher, sentence
  start_and_interrupt "$2" $3
  is "$status ${#pids[@]} $(alive "${pids[@]}")$(find "$sandbox/tmp" -mindepth 1 ! -name pids)" "$1 2 " "$4"
}

sandbox_create
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" "$endless"
ends 130 INT demo 'Ctrl-C in the demo ends it with its child and temporary folder'
ends 141 PIPE demo 'so does a reader of its output that goes away'
ends 143 TERM demo 'and SIGTERM'
# A CPU that others have in the moment between the start of the job and the note of its number.
sed -i.kept 's/^  job=\$!$/  sleep 1\n&/' "$checkout/launcher/job.sh"
ends 130 INT demo 'a job that has begun and is not noted yet is ended, too'
mv "$checkout/launcher/job.sh.kept" "$checkout/launcher/job.sh"
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" "trap '' TERM; $endless; wait"
sed -i 's/^readonly JOB_DEATH_MS=.*/readonly JOB_DEATH_MS=300/' "$checkout/launcher/job.sh"
ends 130 INT demo 'one that ignores SIGTERM is killed'

sandbox_create
# As Maven, which unpacks a library of its own into the folder that Java takes for temporary.
printf '#!/bin/bash\n[[ $1 != --is-cached ]] || exit 0\n%s\n%s\n' \
  'eval "set -- $JDK_JAVA_OPTIONS"; [[ $1 == -Djava.io.tmpdir=* ]] || exit 1; touch "${1#*=}/unpacked.so"' "$endless" >"$checkout/mvnw"
ends 130 INT build 'Ctrl-C during the Java build leaves nothing'
is "$([[ -e $checkout/.build/java.stamp ]] && echo believed)" '' 'and the build is not believed complete'
sandbox_fake_archive
echo "$endless" >"$sandbox/home/on-update"
ends 130 INT 'jdks --jdks=8' 'Ctrl-C ends the fetch of a JDK'
is "$(ls "$sandbox/home/.cache/threadclock")" lock 'and leaves nothing of it'

sandbox_create
sandbox_fake_apt
sandbox_without gcc
sandbox_fake apt-get <<END
case "\$*" in *--download-only*) $endless ;; *install*) touch "\$HOME/installed" ;; esac
END
ends 130 INT build 'Ctrl-C while packages are downloaded stops apt-get'
is "$([[ -e $sandbox/home/installed ]] && echo installed)" '' 'and nothing is installed'
sandbox_fake apt-get <<'END'
case "$*" in
  *--download-only*) ;;
  *install*)
    echo $$ $$ >"$TMPDIR/../pids"
    until grep -q 'is finished first' "$HOME/../err"; do sleep 0.02; done
    touch "$HOME/installed"
    ;;
esac
END
ends 130 INT build 'Ctrl-C while dpkg works ends with status 130, too'
is "$([[ -e $sandbox/home/installed ]] && echo finished)" finished 'but dpkg finishes first'
like "$err" 'the installation of gcc libc6-dev is finished first' 'and one line says so'

done_testing
