# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# dist: the command line as an archive that needs nothing but a Java runtime. The same sources and JDK give the same
# bytes.

dist_folder=$root/dist # what is written to

# The modules that the command line is made of.
readonly DIST_MODULES=(threadclock-library threadclock-harness threadclock-recorder "$CLI_MODULE")

dist_write() {
  build_begin compiler make jdk maven
  build_natives
  dist_make "$state/dist" "$dist_folder"
}

# Prints the archive's path.
dist_make() { # folder to build in, folder to write to
  local name stage
  name=threadclock-$(dist_version)
  stage=$1/$name
  mkdir -p -- "$2" || fail "creating $2 failed. Name another folder by --output."
  dist_build "$1"
  dist_fill "$1" "$stage"
  build_must "packing $name" dist bash -c "$(declare -f dist_pack)"'; set -euo pipefail; dist_pack "$@"' dist_pack \
    "$stage" "$(dist_time)" "$2/$name.tar.gz"
  (cd -- "$2" && sha256sum -- "$name.tar.gz" >"$name.tar.gz.sha256")
  printf '%s\n' "$2/$name.tar.gz"
}

# The module's own version comes after its parent's.
dist_version() {
  sed -n 's/^  <version>\(.*\)<\/version>$/\1/p' "$root/pom.xml"
}

dist_time() {
  sed -n 's/.*<project\.build\.outputTimestamp>\(.*\)<\/.*/\1/p' "$root/pom.xml"
}

# Builds in a copy of the sources, so that nothing of an earlier build is included.
dist_build() { # folder
  local log=$state/dist-build.log
  rm -rf -- "$1"
  mkdir -p -- "$1"
  (cd -- "$root" && tar -cf - pom.xml mvnw .mvn ./*/pom.xml "${DIST_MODULES[@]/%//src}" threadclock-native/build/native) |
    tar -C "$1" --touch -xf -
  build_maven_in "$1" "building the command line" "$log" -pl "$CLI_MODULE" -am -Dnatives=all package -DskipTests ||
    build_failed "./mvnw -pl $CLI_MODULE -am package" "$log"
}

dist_fill() { # folder that it was built in, folder
  local module=$1/$CLI_MODULE
  mkdir -p -- "$2/bin" "$2/lib"
  cp -- "$module/src/main/sh/threadclock" "$2/bin/"
  chmod +x -- "$2/bin/threadclock"
  cp -- "$module/target/$CLI_MODULE.jar" "$module"/target/lib/*.jar "$2/lib/"
  cp -r -- "$1"/threadclock-native/build/native/linux-* "$2/lib/"
  cp -- "$root/LICENSE" "$2/"
  build_must "writing the manual" dist "$JAVA_HOME/bin/java" -cp "$2/lib/*" io.threadclock.cli.Manual "$2"
}

# The archive does not depend on the packer or the time: order, times, owners and permissions are fixed.
dist_pack() { # folder, time, archive
  tar -C "$(dirname -- "$1")" --sort=name --format=ustar --mtime="$2" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX -cf - "$(basename -- "$1")" | gzip -9n >"$3.new"
  mv -- "$3.new" "$3"
}

# ---- test --install ----

readonly DIST_ROOT=jre-17 # in the store
readonly DIST_PACKAGES=(openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g dash coreutils sed util-linux
  libacl1 libattr1 libcap-ng0 libgmp10 libpcre2-8-0 libselinux1)

# Builds and packs twice, the second time elsewhere and with other settings. test --platforms builds the native
# libraries twice, too, and compares them.
suite_run_install() {
  local archive again
  dist_provide_root
  build_natives
  archive=$(dist_make "$state/install/one" "$state/install")
  again=$(umask 077 && TZ=Asia/Kolkata LC_ALL=C dist_make "$state/install/another/folder" "$state/install/again")
  suite_run_prove "tests of the archive" env -C "$root/$CLI_MODULE" DIST_ARCHIVE="$archive" DIST_AGAIN="$again" \
    DIST_ROOT="$store/$DIST_ROOT" prove --timer src/test/sh/archive.t
}

# A JRE and a shell: no JDK, and nothing else that a build has put there.
dist_provide_root() {
  store_open
  if ! dist_root_is_here && ! apt_is_here; then
    say "a root with only a JRE is not here, and without apt-get not to be had: the archive is not tried in one."
    return
  fi
  store_provide "a JRE" dist_root_is_here '' root "$store" "$DIST_ROOT" "$(dpkg --print-architecture)" "${DIST_PACKAGES[@]}"
}

dist_root_is_here() {
  compgen -G "$store/$DIST_ROOT/usr/lib/jvm/java-17-openjdk-*/bin/java" >/dev/null
}
