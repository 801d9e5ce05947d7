# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# dist: the command line as an archive that needs nothing but a Java runtime. The same sources and JDK give the same
# bytes.

dist_folder=$root/dist # what is written to

dist_write() {
  local version name stage log=$state/dist.log
  version=$(dist_version)
  name=threadclock-$version
  dist_build
  job_ensure_scratch
  stage=$job_scratch/$name
  dist_fill "$stage"
  mkdir -p -- "$dist_folder" || fail "creating $dist_folder failed. Name another folder by --output."
  job_step "packing $name" "$log" bash -c "$(declare -f dist_pack)"'; set -euo pipefail; dist_pack "$@"' dist_pack \
    "$stage" "$(dist_time)" "$dist_folder/$name.tar.gz" ||
    fail "packing $name failed: $(tail -n 1 -- "$log"). All output: $log"
  (cd -- "$dist_folder" && sha256sum -- "$name.tar.gz" >"$name.tar.gz.sha256")
  printf '%s\n' "$dist_folder/$name.tar.gz"
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
  build_begin compiler make jdk maven
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
