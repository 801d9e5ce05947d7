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

# Of the launcher, its job and the job's child only the status is left, and no file.
ends() { # status, signal, arguments of the launcher, sentence
  rm -f "$sandbox/tmp/pids"
  sandbox_start $3
  until [[ -s $sandbox/tmp/pids ]] || ! kill -0 "$launcher" 2>/dev/null; do sleep 0.02; done
  read -r -a pids <"$sandbox/tmp/pids"
  kill -s "$2" "$launcher"
  kill_if_it_hangs &
  sandbox_wait
  kill "$!" 2>/dev/null
  is "$status ${#pids[@]} $(alive "${pids[@]}")$(find "$sandbox/tmp" -mindepth 1 ! -name pids)" "$1 2 " "$4"
}

sandbox_create
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" "$endless"
ends 130 INT demo 'Ctrl-C in the demo ends it with its child and temporary folder'
ends 143 TERM demo 'so does SIGTERM'
# A CPU that others have in the moment between the start of the job and the note of its number.
sed -i.kept 's/^  job=\$!$/  sleep 1\n&/' "$checkout/launcher/job.sh"
ends 130 INT demo 'a job that has begun and is not noted yet is ended, too'
sed 's/^readonly JOB_DEATH_MS=.*/readonly JOB_DEATH_MS=300/' "$checkout/launcher/job.sh.kept" >"$checkout/launcher/job.sh"
sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17" "trap '' TERM; $endless; wait"
ends 130 INT demo 'one that ignores SIGTERM is killed'

sandbox_create
# As Maven, which unpacks a library of its own into the folder that Java takes for temporary.
printf '#!/bin/bash\n[[ $1 != --is-cached ]] || exit 0\n%s\n%s\n' \
  'eval "set -- $JDK_JAVA_OPTIONS"; [[ $1 == -Djava.io.tmpdir=* ]] || exit 1; touch "${1#*=}/unpacked.so"' "$endless" >"$checkout/mvnw"
ends 130 INT build 'Ctrl-C during the Java build leaves nothing'
is "$(compgen -G "$checkout/.build/java.stamp")" '' 'and the build is not believed complete'
sandbox_fake_archive
echo "$endless" >"$sandbox/home/on-update"
ends 130 INT 'jdks --jdks=8' 'Ctrl-C ends the fetch of a JDK'
is "$(ls "$sandbox/home/.cache/threadclock")" lock 'and leaves nothing of it'

sandbox_create
sandbox_fake_apt
rm "$sandbox/bin/gcc"
sandbox_fake apt-get <<<"case \"\$*\" in *--download-only*) $endless ;; *install*) touch \"\$HOME/installed\" ;; esac"
ends 130 INT build 'Ctrl-C while packages are downloaded stops apt-get'
is "$(ls "$sandbox/home")" '' 'and nothing is installed'
sandbox_fake apt-get <<'END'
case "$*" in *--download-only*) exit 0 ;; *install*) ;; *) exit 0 ;; esac
echo $$ $$ >"$TMPDIR/../pids"
until grep -q 'is finished first' "$HOME/../err"; do sleep 0.02; done
touch "$HOME/installed"
END
ends 130 INT build 'Ctrl-C while dpkg works ends with status 130, too'
is "$(ls "$sandbox/home")" installed 'but dpkg finishes first'

done_testing
