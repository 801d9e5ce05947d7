# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# dist: the command line as an archive that needs nothing but a Java runtime. The same sources and JDK give the same
# bytes.

dist_folder=$root/dist # what is written to

dist_write() {
  build_begin compiler make jdk maven
  dist_build
  dist_archive "$dist_folder"
}

# Of what is built; prints its path.
dist_archive() { # folder
  local name stage log=$state/dist.log
  name=threadclock-$(dist_version)
  job_ensure_scratch
  stage=$job_scratch/$name
  rm -rf -- "$stage"
  dist_fill "$stage"
  mkdir -p -- "$1" || fail "creating $1 failed. Name another folder by --output."
  job_step "packing $name" "$log" bash -c "$(declare -f dist_pack)"'; set -euo pipefail; dist_pack "$@"' dist_pack \
    "$stage" "$(dist_time)" "$1/$name.tar.gz" ||
    fail "packing $name failed: $(tail -n 1 -- "$log"). All output: $log"
  (cd -- "$1" && sha256sum -- "$name.tar.gz" >"$name.tar.gz.sha256")
  printf '%s\n' "$1/$name.tar.gz"
}

# The module's own, behind its parent's.
dist_version() {
  sed -n 's/^  <version>\(.*\)<\/version>$/\1/p' "$root/pom.xml"
}

dist_time() {
  sed -n 's/.*<project\.build\.outputTimestamp>\(.*\)<\/.*/\1/p' "$root/pom.xml"
}

# The jars of the commands and of what they need now, and of nothing that an earlier build needed.
dist_build() {
  local log=$state/dist-build.log
  build_natives
  rm -rf -- "$root/$CLI_MODULE/target/lib"
  build_maven "building the command line" "$log" -pl "$CLI_MODULE" -am package -DskipTests || {
    build_explain_fetching "$log"
    build_failed "./mvnw -pl $CLI_MODULE -am package" "$log"
  }
}

dist_fill() { # folder
  local log=$state/dist.log module=$root/$CLI_MODULE
  mkdir -p -- "$1/bin" "$1/lib"
  cp -- "$module/src/main/sh/threadclock" "$1/bin/"
  chmod +x -- "$1/bin/threadclock"
  cp -- "$module/target/$CLI_MODULE.jar" "$module"/target/lib/*.jar "$1/lib/"
  cp -r -- "${library%/*}"/native/linux-* "$1/lib/"
  cp -- "$root/LICENSE" "$1/"
  job_step "writing the manual" "$log" "$JAVA_HOME/bin/java" -cp "$1/lib/*" io.threadclock.cli.Manual "$1" ||
    fail "writing the manual failed: $(tail -n 1 -- "$log"). All output: $log"
}

# Whoever packs it, and when: order, times, owners and permissions are the same.
dist_pack() { # folder, time, archive
  tar -C "$(dirname -- "$1")" --sort=name --format=ustar --mtime="$2" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX -cf - "$(basename -- "$1")" | gzip -9n >"$3.new"
  mv -- "$3.new" "$3"
}

# ---- test --install ----

readonly DIST_ROOT=jre-17 # in the store
readonly DIST_PACKAGES=(openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g dash coreutils sed util-linux
  libacl1 libattr1 libcap-ng0 libgmp10 libpcre2-8-0 libselinux1)

suite_needs_install() { printf 'maven prove '; }

# Built and packed twice, the second time by somebody with other habits. That the natives come out the same from two
# folders is seen with the other platforms, where they are built twice as well.
suite_run_install() {
  local archive elsewhere=$state/install/elsewhere
  dist_provide_root
  dist_build
  archive=$(dist_archive "$state/install/one")
  (umask 077 && TZ=Asia/Kolkata dist_archive "$state/install/two") >/dev/null
  dist_build_elsewhere "$elsewhere"
  suite_run_prove "tests of the archive" env -C "$root/$CLI_MODULE" DIST_ARCHIVE="$archive" \
    DIST_AGAIN="${archive/one/two}" DIST_ELSEWHERE="$elsewhere/$CLI_MODULE/target" DIST_ROOT="$store/$DIST_ROOT" prove --timer src/test/sh
}

dist_build_elsewhere() { # folder
  local log=$state/dist-elsewhere.log
  rm -rf -- "$1"
  mkdir -p -- "$1"
  (cd -- "$root" && tar -cf - pom.xml mvnw .mvn ./*/pom.xml threadclock-{library,harness,recorder,cli}/src) | tar -C "$1" --touch -xf -
  job_step "building the command line in another folder" "$log" env TZ=Asia/Kolkata LC_ALL=C \
    bash -c 'umask 077 && exec "$@"' - "$1/mvnw" -B -ntp -f "$1/pom.xml" -pl "$CLI_MODULE" -am package -DskipTests ||
    build_failed "./mvnw -pl $CLI_MODULE -am package" "$log"
}

# A JRE and a shell: no JDK, and nothing else that a build has put there.
dist_provide_root() {
  local log=$state/fetch-jre.log
  store_open
  ! dist_root_is_here || return 0
  if ! apt_is_here; then
    say "a root with only a JRE is not here, and without apt-get not to be had: the archive is not tried in one."
    return
  fi
  store_step dist_root_is_here "fetching a JRE from Debian" "$log" \
    bash "$root/launcher/fetch_root.sh" "$store/$DIST_ROOT" "$(dpkg --print-architecture)" "${DIST_PACKAGES[@]}" ||
    fail "fetching a JRE from Debian failed: $(store_answer "$log"). Check the network and the sources of apt, or name a mirror in THREADCLOCK_MIRROR; all output: $log"
}

dist_root_is_here() {
  compgen -G "$store/$DIST_ROOT/usr/lib/jvm/java-17-openjdk-*/bin/java" >/dev/null
}
