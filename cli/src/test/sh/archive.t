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
for native in "$installed"/lib/linux-{x86_64,aarch64}/libthreadclock{,-preload}.so; do
  is "$(head -c 4 -- "$native" | tail -c 3)" ELF "${native#"$installed"/lib/} is there"
done

questdb=$(unzip -Z1 "$installed"/lib/questdb-[0-9]*.jar 2>/dev/null || "${JAVA_HOME:+$JAVA_HOME/bin/}jar" --list --file "$installed"/lib/questdb-[0-9]*.jar)
is "$(grep -oE '^io/questdb/bin/[^/]+/.*[.](so|dll|dylib)$' <<<"$questdb" | cut -d/ -f4 | sort -u | xargs)" 'linux-aarch64 linux-x86-64' \
  "of QuestDB's libraries, those for Linux are in it alone"

# ---- the package of Debian ----

if command -v dpkg-deb >/dev/null; then
  packed=$scratch/packed
  dpkg-deb --extract "$DIST_PACKAGE" "$packed"
  is "$(diff -r -- "$installed/lib" "$packed/usr/lib/threadclock/lib" && readlink -f -- "$packed/usr/bin/threadclock")" \
    "$packed/usr/lib/threadclock/bin/threadclock" 'the package has the same in it, and its command on the path'
  is "$(dpkg-deb --field "$DIST_PACKAGE" Package Depends | xargs)" 'Package: threadclock Depends: java17-runtime-headless' \
    'it depends on a Java runtime alone'
  like "$("$packed/usr/bin/threadclock" version 2>&1)" '^threadclock [0-9]' 'unpacked, it runs'
else
  skip 'the package of Debian has the same in it, and runs' 'dpkg-deb is not here'
fi

# ---- the package of Fedora and its relatives ----

if [[ -n $DIST_RPM ]]; then
  unpacked=$scratch/unpacked
  mkdir -- "$unpacked"
  rpm2archive - <"$DIST_RPM" | tar -xzf - -C "$unpacked"
  is "$(diff -r -- "$installed/lib" "$unpacked/usr/lib/threadclock/lib" && readlink -f -- "$unpacked/usr/bin/threadclock")" \
    "$unpacked/usr/lib/threadclock/bin/threadclock" 'the rpm has the same in it, and its command on the path'
  is "$(rpm -qp --queryformat '%{NAME} %{ARCH} %{LICENSE}' "$DIST_RPM")" 'threadclock noarch Apache-2.0' 'it says what it is'
  is "$(rpm -qp --requires "$DIST_RPM" | grep -v '^rpmlib(')" 'java-headless >= 1:17' 'it depends on a Java runtime alone'
  like "$("$unpacked/usr/bin/threadclock" version 2>&1)" '^threadclock [0-9]' 'unpacked, it runs'
  again=("$(dirname -- "$DIST_AGAIN")"/*.rpm)
  is "$(cmp -- "$DIST_RPM" "${again[0]}" 2>&1)" '' 'two of them have the same bytes'
else
  skip 'the rpm has the same in it, and runs' 'rpmbuild is not here'
fi

# ---- the image ----

said() { # file in the image, key…: what its JSON says
  # shellcheck disable=SC2016
  perl -MJSON::PP -0777 -e 'my $said = decode_json(<STDIN>); $said = ref $said eq "ARRAY" ? $said->[$_] : $said->{$_} for @ARGV;
    print ref $said ? encode_json($said) : $said' "${@:2}" <"$image/$1"
}
blob() { # file in the image, keys…: the path of the blob whose digest and size it says, if they are right
  local digest path
  digest=$(said "$@" digest) path=blobs/${digest/://}
  [[ $(sha256sum <"$image/$path") == "${digest#*:}  -" && $(stat -c %s "$image/$path") == "$(said "$@" size)" ]] && printf '%s' "$path"
}
if [[ -n $DIST_IMAGE ]]; then
  image=$scratch/image
  mkdir -p "$image" "$scratch/container"
  tar -xf "$DIST_IMAGE" -C "$image"
  manifest=$(blob index.json manifests 0)
  config=$(blob "$manifest" config)
  is "$(said oci-layout imageLayoutVersion) $(said "$config" config Entrypoint)" '1.0.0 ["threadclock"]' 'the image starts the command'
  for layer in 0 1; do
    path=$(blob "$manifest" layers "$layer")
    is "sha256:$(gzip -dc "$image/$path" | sha256sum | cut -d' ' -f1)" "$(said "$config" rootfs diff_ids "$layer")" \
      "layer $layer has the digests that are told, packed and unpacked"
    tar -xzf "$image/$path" -C "$scratch/container"
  done
  if [[ $(id -u) == 0 ]] && unshare --mount true 2>/dev/null; then
    # shellcheck disable=SC2016
    like "$(unshare --mount bash -c 'mount --make-rprivate / && mount -t proc proc "$1/proc" &&
      exec chroot "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin threadclock version' - "$scratch/container" 2>&1)" \
      '^threadclock [0-9]' 'in its files, the command runs'
  else
    skip 'in its files, the command runs' 'entering another root takes root, and unshare(2)'
  fi
else
  skip 'the image has the digests that are told, and runs' "no root with Debian's JRE is here"
fi

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
  cp -R -- "$DIST_ROOT/etc" "$scratch/etc"
  printf 'root:x:0:0:root:/root:/bin/sh\n' >"$scratch/etc/passwd" # a JVM whose user has no name tells others nothing
  # shellcheck disable=SC2016
  timeout --signal=KILL 900 unshare --mount --pid --fork --kill-child bash -c 'set -e
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount --bind "$2/tmp" "$1/tmp"
    mount --bind "$2/opt" "$1/opt"
    mount --bind "$2/etc" "$1/etc"
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
  like "$(of of_target)" '^0 .*user time .*parses /proc' 'doctor looks at a JVM'
  like "$(of attach)" '^0 attached to process [0-9]+ \(JDK 17' 'attach attaches, with a JRE alone'
  like "$(of attached)" '"agent" : "/opt/lib/linux-[a-z0-9_]+/libthreadclock.so"' 'its library is that of the archive'
  like "$(of attached)" '"source" : "[a-z]+"' 'which the JVM confirms when it is asked'
  like "$(of detach)" '^0 detached from process' 'detach detaches'
  is "$(cat "$scratch/tmp/target.status")" 42 'the JVM ends as it would have'
  like "$(of export)" '^0 serving http://127.0.0.1:[0-9]+/metrics.*read by the agent' 'export serves what it costs until then'
  like "$(cat "$scratch/tmp/started.err")" 'attached to process [0-9]+ \(JDK 17' 'run attaches to what it has become'
  like "$(of of_started)" '"agent" : "/opt/lib' 'which doctor sees'
  is "$(cat "$scratch/tmp/started.status")" 42 "the program's status is its own"
  like "$(of old)" '^0 threadclock [0-9]' 'a JAVA_HOME that is too old is passed over'
fi

done_testing
