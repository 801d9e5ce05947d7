# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# A checkout of stand-ins in a temporary folder: the launcher is the real one; compiler, Maven, JDK
# and apt-get are scripts that note their calls. PATH has nothing but what is put there.
# Its path contains spaces, so every test is also a test of that.

launcher_source=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

sandboxes=()
variables=() # of the environment, for the launcher
trap 'rm -rf -- "${sandboxes[@]}"' EXIT

sandbox_create() {
  local tool
  # Without a folder of its own, what follows would write into this machine's /bin.
  sandbox=$(mktemp -d "${TMPDIR:-/tmp}/launcher test.XXXXXX") || exit 255
  sandboxes+=("$sandbox")
  checkout="$sandbox/check out"
  calls=$sandbox/calls
  mkdir -p "$checkout/launcher" "$sandbox/bin" "$sandbox/home" "$sandbox/tmp"
  : >"$calls"
  cp "$launcher_source/threadclock" "$checkout/"
  cp -r "$launcher_source"/launcher/{*.sh,*.pl,help,tries} "$checkout/launcher/"
  # However busy the machine is: what a step says of its progress is no matter of the tests.
  sed -i 's/^readonly JOB_ANNOUNCE_MS=[0-9]*/readonly JOB_ANNOUNCE_MS=600000/' "$checkout/launcher/job.sh"
  for tool in awk basename bash cat chmod cp cut date dirname env find flock grep head ln make mkdir mktemp mv nproc paste perl \
    prove readlink rm sed sh sha512sum sleep sort stat tail tar test timeout touch tr true uname uniq; do
    ln -s "$(type -P "$tool")" "$sandbox/bin/$tool"
  done
  sandbox_fake id <<<'echo 1000'
  sandbox_fake gcc <<<'cat >/dev/null'
  sandbox_fake pkg-config <<<'exit 0'
  sandbox_fake_sources
  sandbox_fake_jdk 17.0.9 "$sandbox/jdk 17"
  jdks="$sandbox/jdk 17"
}

sandbox_fake() { # name; the script is on standard input
  local file=$sandbox/bin/$1
  rm -f -- "$file"
  { printf '#!/bin/bash\n' && cat; } >"$file"
  chmod +x "$file"
}

sandbox_fake_sources() {
  mkdir -p "$checkout/native/src" "$checkout/.mvn"
  touch "$checkout/native/src/clock.c"
  printf '<module>%s</module>\n' cli bench >"$checkout/pom.xml"
  # The compiler of the stand-in notes that it ran; `cp` makes the library.
  printf '%s\n' 'build/libthreadclock.so: src/clock.c' \
    $'\t@mkdir -p build && echo "compiled $<" >>"$$CALLS" && cp $< $@' \
    'test: build/libthreadclock.so' \
    $'\t@echo "native $(GATE)" >>"$$CALLS"; prove --timer t' >"$checkout/native/Makefile"
  sandbox_fake_module cli
  sandbox_fake_module bench
  printf 'all:\n' >"$checkout/bench/Makefile"
  mkdir -p "$checkout/cli/src/main/sh"
  cp "$launcher_source/cli/src/main/sh/threadclock" "$checkout/cli/src/main/sh/"
  cat >"$checkout/mvnw" <<'END'
#!/bin/bash
[[ $1 != --is-cached ]] || exit 0
echo "mvnw $*" >>"$CALLS"
for module in "$(dirname "$0")"/*/pom.xml; do
  module=$(dirname "$module")
  mkdir -p "$module/target" && touch "$module/target/$(basename "$module").jar"
  for source in "$module"/src/main/java/*.java; do touch "$module/target/$(basename "$source" .java).class"; done
done
cat "$(dirname "$0")/surefire.log" 2>/dev/null
exit "${MVNW_STATUS:-0}"
END
  chmod +x "$checkout/mvnw"
}

sandbox_fake_module() { # name
  mkdir -p "$checkout/$1/src/main/java"
  touch "$checkout/$1/pom.xml" "$checkout/$1/src/main/java/Main.java"
}

sandbox_fake_jdk() { # version, home
  mkdir -p "$2/bin" "$2/include/linux"
  printf 'IMPLEMENTOR="Nobody"\nJAVA_VERSION="%s"\n' "$1" >"$2/release"
  touch "$2/include/jni.h" "$2/include/jvmti.h" "$2/include/linux/jni_md.h"
  printf '#!/bin/bash\necho "java $*" >>"$CALLS"\n%s\n' "${3:-echo "ran \$*"}" >"$2/bin/java"
  cp "$2/bin/java" "$2/bin/javac"
  chmod +x "$2/bin/java" "$2/bin/javac"
}

# Runs the launcher with nothing of this machine's environment. Leaves its status, and what it wrote.
sandbox_run() { # arguments…
  sandbox_start "$@"
  sandbox_wait
}

# In a group of its own, as from a terminal: a plain background job of a script has SIGINT ignored.
sandbox_start() { # arguments…
  set -m
  env -i PATH="$sandbox/bin" HOME="$sandbox/home" TMPDIR="$sandbox/tmp" CALLS="$calls" \
    ${jdks:+THREADCLOCK_JDKS="$jdks"} ${compiler:+CC="$compiler"} ${mvnw_status:+MVNW_STATUS="$mvnw_status"} \
    "${variables[@]}" "$checkout/threadclock" "$@" >"$sandbox/out" 2>"$sandbox/err" <"${input:-/dev/null}" &
  launcher=$!
  set +m
}

sandbox_wait() {
  status=0
  { wait "$launcher" || status=$?; } 2>/dev/null
  out=$(<"$sandbox/out")
  err=$(<"$sandbox/err")
}

sandbox_calls() { # regular expression: how many calls match it
  grep -cE -- "$1" "$calls" || true
}

sandbox_forget_calls() {
  : >"$calls"
}

# The apt-get of a machine whose archive has a compiler.
sandbox_fake_apt() {
  sandbox_fake id <<<'echo 0'
  sandbox_fake apt-get <<'END'
echo "apt-get $* frontend=$DEBIAN_FRONTEND" >>"$CALLS"
case "$*" in *--download-only*) ;; *install*) printf '#!/bin/bash\ncat >/dev/null\n' >"${0%/*}/gcc" && chmod +x "${0%/*}/gcc" ;; esac
END
}

# apt as somebody who is not root may use it: it lists, and downloads packages, which are tar archives here.
sandbox_fake_archive() {
  sandbox_fake apt-config <<<"echo 'Acquire::http::Proxy \"http://proxy/\";'; echo 'APT::Update::Post-Invoke \"x\";'"
  sandbox_fake apt-cache <<<'printf "openjdk-%d-jre-headless\n" 8 11 17 21 25 26 27 28; echo openjdk-28-dbg'
  sandbox_fake patchelf <<<'exit'
  sandbox_fake dpkg-deb <<<'cat "$2"'
  sandbox_fake apt-get <<'END'
echo "apt-get $*" >>"$CALLS"
case "$*" in
  *indextargets*) printf 'Debian|%s\n' 'Debian-Security|http://mirror/security/' 'Debian|cdrom:/x/' 'Debian|http://mirror/debian/' ;;
  *update*)
    cat "${APT_CONFIG%/*}/sources.list" "$APT_CONFIG" >>"$CALLS"
    ! [[ -e $HOME/on-update ]] || source "$HOME/on-update"
    ;;
  *download*)
    while [[ $1 != download ]]; do shift; done
    for package in "${@:2}"; do
      home=tree/usr/lib/jvm/java-${package//[!0-9]/}-openjdk-amd64/bin
      mkdir -p tree "$home"
      printf '#!/bin/bash\n' >"$home/java"
      chmod +x "$home/java"
      tar -C tree -cf "${package}_1.deb" . && rm -r tree
    done
    ;;
esac
END
}
