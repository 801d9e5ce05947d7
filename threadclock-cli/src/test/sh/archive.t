#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The archive that ./threadclock dist writes, as one who has just unpacked it sees it.
source ../launcher/test/tap.sh
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-archive.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT

is "$(cmp -- "$DIST_ARCHIVE" "$DIST_AGAIN" 2>&1)" '' 'two archives have the same bytes, whoever builds them, and wherever'
(cd -- "$(dirname -- "$DIST_ARCHIVE")" && sha256sum --check --status -- *.sha256)
is "$?" 0 'the checksum beside it is its own'

installed=$scratch/opt
mkdir -- "$installed"
tar -xzf "$DIST_ARCHIVE" -C "$installed" --strip-components=1
is "$(tar -tzf "$DIST_ARCHIVE" | sed 's,/.*,,' | sort -u | wc -l)" 1 'all of it is in one folder'
for native in "$installed"/lib/linux-{x86_64,aarch64}/libthreadclock.so; do
  is "$(head -c 4 -- "$native" | tail -c 3)" ELF "$(basename -- "$(dirname -- "$native")") is there"
done

# ---- the manual ----

pages=("$installed"/share/man/man1/*.1)
if command -v groff >/dev/null; then
  is "$(groff -man -Tutf8 -ww -z "${pages[@]}" 2>&1)" '' 'groff warns of no man page'
else
  skip 'groff warns of no man page' 'groff is not here'
fi

complete_by_bash() { # words…
  # shellcheck disable=SC2016
  bash -c 'source "$1/share/bash-completion/completions/threadclock"; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _complete_threadclock; printf "%s " "${COMPREPLY[@]}"' - "$installed" "$@"
}
is "$(complete_by_bash threadclock doc)" 'doctor ' 'bash completes a command'
is "$(complete_by_bash threadclock attach --so)" '--source ' 'and an option of one'
like "$(complete_by_bash threadclock attach --source '')" 'rseq.*perf' 'and what it takes'

# In a terminal, by somebody who types this, Tab and Return.
complete_by_zsh() { # beginning of a line
  # shellcheck disable=SC2016
  ZDOTDIR=$scratch timeout 120 zsh -fc 'zmodload zsh/zpty && zpty shell zsh -i && zpty -w -n shell "$1"$'"'\t\r'"' &&
    zpty -r shell screen "*completed: *$'"'\n'"'" && print -r -- $screen' - "$1" |
    tr -d '\r' | sed -n 's/^completed: //p'
}
if command -v zsh >/dev/null; then
  cat >"$scratch/.zshrc" <<END
fpath=($installed/share/zsh/site-functions \$fpath)
autoload -U compinit && compinit -D -u
threadclock() { print -r -- "completed: \$*" && exit }
END
  is "$(complete_by_zsh 'threadclock doc')" 'doctor' 'zsh completes a command'
  is "$(complete_by_zsh 'threadclock attach --so')" 'attach --source' 'zsh completes an option of one'
  is "$(complete_by_zsh 'threadclock attach --source rs')" 'attach --source rseq' 'zsh completes what it takes'
else
  skip 'zsh completes commands, options and what they take' 'zsh is not here'
fi

# ---- with only a JRE ----

# A file system of its own: what is mounted there goes with the last process that is in it.
enter_root() {
  local javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
  mkdir -p -- "$scratch/tmp/old/bin" "$DIST_ROOT"/{proc,dev,tmp,opt}
  "$javac" --release 8 -Xlint:-options -d "$scratch/tmp" src/test/sh/Waiting.java
  printf '#!/bin/sh\n' >"$scratch/tmp/old/bin/java" && chmod +x "$scratch/tmp/old/bin/java"
  printf 'JAVA_VERSION="1.8.0_402"\n' >"$scratch/tmp/old/release"
  cp src/test/sh/in_root.sh "$scratch/tmp/"
  # shellcheck disable=SC2016
  timeout --signal=KILL 900 unshare --mount --pid --fork --kill-child bash -c 'set -e
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount --bind "$2/tmp" "$1/tmp"
    mount --bind "$2/opt" "$1/opt"
    exec chroot "$1" /usr/bin/env -u TMPDIR -u THREADCLOCK_LIBRARY /bin/sh /tmp/in_root.sh' - "$DIST_ROOT" "$scratch" </dev/null
}

of() { # step: its status and what it printed
  printf '%s ' "$(cat -- "$scratch/tmp/$1.status")"
  cat -- "$scratch/tmp/$1.out" "$scratch/tmp/$1.err"
}

reason_not_to_enter() {
  if [[ $(id -u) != 0 ]]; then
    printf 'entering another root takes root'
  elif ! compgen -G "$DIST_ROOT/usr/lib/jvm/*/bin/java" >/dev/null; then
    printf 'no root with a JRE is here'
  elif ! unshare --mount --pid --fork true 2>/dev/null; then
    printf 'unshare(2) is refused'
  fi
}

missing=$(reason_not_to_enter)
if [[ -n $missing ]]; then
  skip 'all of it works with only a JRE' "$missing"
else
  is "$(enter_root 2>&1)" '' 'a root with only a JRE is entered'
  like "$(of version)" '^0 threadclock [0-9]' 'the version is told'
  like "$(of usage)" '^2 threadclock: ' 'wrong usage is 2'
  like "$(of missing)" '^1 threadclock: .*there is no such process' 'a process that is not there is 1'
  like "$(of doctor)" '^0 .* CPUs?, Linux ' 'doctor looks at the machine'
  like "$(of json)" '^0 \{.*"chosen" : "[a-z]+"' 'and prints JSON'
  like "$(of of_target)" '^0 .*user time .*parses /proc' 'doctor looks at a JVM, by another one of its JRE'
  like "$(of attach)" '^0 attached to process [0-9]+ \(JDK 17' 'attach attaches, with a JRE alone'
  like "$(of attached)" '"agent" : "/opt/lib/linux-[a-z0-9_]+/libthreadclock.so"' 'its library is that of the archive'
  like "$(of attached)" '"isOurs" : true' 'which the JVM confirms when it is asked'
  like "$(of detach)" '^0 detached from process' 'detach detaches'
  is "$(cat "$scratch/tmp/interrupted.out" "$scratch/tmp/interrupted.err")" '' 'interrupted, doctor leaves no file and no process'
  is "$(cat "$scratch/tmp/target.status")" 42 'the JVM ends as it would have'
  like "$(cat "$scratch/tmp/started.err")" 'attached to process [0-9]+ \(JDK 17' 'run attaches to what it has become'
  like "$(of of_started)" '"agent" : "/opt/lib' 'which doctor sees'
  is "$(cat "$scratch/tmp/started.status")" 42 "the program's status is its own"
  like "$(of old)" '^0 threadclock [0-9]' 'a JAVA_HOME that is too old is passed over'
fi

done_testing
