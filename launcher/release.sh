# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# release: what is published for Java programs, signed, in a folder that is a Maven repository. verify: jars of a
# release, compared with what their commit gives. Both build the commit's files in a folder of their own, so that
# nothing of an earlier build, and nothing uncommitted, is included.

readonly RELEASE_MODULES=(threadclock-bom threadclock-library threadclock-jfr threadclock-micrometer
  threadclock-spring-boot3 threadclock-spring-boot-starter threadclock-opentelemetry)
readonly RELEASE_PLATFORMS=(linux-x86_64 linux-aarch64) # each for glibc and for musl

release_folder=$root/release # what is written to
release_home=${PROJECT_HOME:-}
release_key= # of gpg; empty: its own choice
release_is_published=

release_write() {
  local tag version commit kept staged=$state/release/staged options=()
  toolchain_require git
  tag=$(release_tag) || exit
  version=${tag#v}
  commit=$(git -C "$root" rev-parse HEAD)
  release_refuse_unready "$version"
  build_begin compiler make jdk maven gpg
  [[ -z $release_key ]] || options+=("-Dgpg.keyname=$release_key")
  release_build "$commit" "$version" "$release_home" "$state/release"
  release_maven "$commit" "$version" "$release_home" "$state/release" "building and signing $tag" \
    -Psign "${options[@]}" -Dmaven.install.skip=true -Daether.checksums.algorithms=SHA-512,SHA-256,SHA-1,MD5 \
    -DaltDeploymentRepository="staged::file:${staged// /%20}" deploy
  # For repositories that hold several versions; it has the time in it.
  find "$staged" -name 'maven-metadata.xml*' -delete
  release_check "$staged/io/threadclock" "$version"
  [[ -z $release_is_published ]] || release_maven "$commit" "$version" "$release_home" "$state/release" \
    "uploading $tag" -Psign,central "${options[@]}" -Dmaven.install.skip=true deploy
  kept=$release_folder/threadclock-$version
  mkdir -p -- "$release_folder" || fail "creating $release_folder failed. Name another folder by --output."
  rm -rf -- "$kept"
  mv -T -- "$staged" "$kept"
  printf '%s\n' "$kept"
}

# A tag v* with the pom's number, and an ending such as -rc1 or none.
release_tag() {
  local number tag
  [[ -z $(git -C "$root" status --porcelain) ]] ||
    fail "releasing: this checkout has changes that are not committed. Commit them, or clone the checkout anew."
  number=$(dist_property revision)
  tag=$(git -C "$root" describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null) ||
    fail "releasing: HEAD has no tag v*. Check out a tag, or set one: git tag -s v$number."
  [[ $tag =~ ^"v$number"(-[0-9A-Za-z.]+)?$ && $tag != *-SNAPSHOT ]] ||
    fail "releasing $tag: the version in pom.xml is $number. Set a tag v$number or v$number-rc1, or change <revision>."
  printf '%s' "$tag"
}

release_refuse_unready() { # version
  local snapshot findings
  [[ $release_home == https://?* ]] ||
    fail "releasing: the poms need the project's address, and it is '$release_home'. Give it by --home=https://… or in PROJECT_HOME."
  snapshot=$(dist_property revision)$(dist_property changelist)
  ! findings=$(cd -- "$root" && grep -lF -e "$snapshot" -e 'There is no release yet' ./*.md docs/*.md) ||
    fail "releasing $1: these documents tell $snapshot, or that there is no release: ${findings//$'\n'/ }. Let them tell $1."
  grep -qF -- "## [$1]" "$root/CHANGELOG.md" ||
    fail "releasing $1: CHANGELOG.md has no heading '## [$1]'. Give what is unreleased that heading."
}

# Leaves the commit's files and its native libraries.
release_build() { # commit, version, home, folder
  rm -rf -- "$4"
  mkdir -p -- "$4"
  umask 022 # jars hold permissions
  git -C "$root" archive "$1" | tar -x -C "$4" || fail "taking the files of commit $1 failed. Fetch it: git fetch."
  zig_provide
  build_must "building the native libraries of $2" release-natives make --no-print-directory -C "$4/threadclock-native" \
    CC="$(toolchain_compiler)" JAVA_HOME="$JAVA_HOME" ZIG="$zig" natives
}

release_maven() { # commit, version, home, folder, title, arguments…
  local log=$state/release-build.log modules number
  number=$(dist_property revision "$4/pom.xml")
  printf -v modules ',%s' "${RELEASE_MODULES[@]}"
  build_maven_in "$4" "$5" "$log" -pl "${modules#,}" -Prelease -Dnatives=all -Dmaven.test.skip=true \
    -Drelease.commit="$1" -Dchangelist="${2#"$number"}" -Dproject.home="$3" "${@:6}" ||
    build_failed "$5" "$log"
}

# What a build on another machine may lack without failing. (The agent of OpenTelemetry reads no classes for newer JDKs,
# and so they are not in its jar.)
release_check() { # folder, version
  local jar platform
  for jar in threadclock/"$2"/threadclock-"$2".jar threadclock-opentelemetry/"$2"/threadclock-opentelemetry-"$2"-extension.jar; do
    for platform in "${RELEASE_PLATFORMS[@]}"; do
      release_must_have "$1/$jar" "META-INF/native/$platform/libthreadclock.so" "See $state/release-natives.log."
    done
  done
  release_must_have "$1/threadclock/$2/threadclock-$2.jar" META-INF/versions/22/io/threadclock/CallingThread.class \
    "JDK $JDK_NEWER or newer compiles it, and this was built by $JAVA_HOME: install one, such as openjdk-25-jdk-headless."
}

release_must_have() { # jar, entry, what to do
  [[ -r $1 ]] || fail "releasing: ${1##*/} was not made. See $state/release-build.log."
  "$JAVA_HOME/bin/jar" --list --file "$1" | grep -xF -- "$2" >/dev/null || fail "releasing: ${1##*/} has no $2. $3"
}

# ---- verify ----

verify_write() { # jars…
  local jar status=0
  build_begin compiler make jdk maven git
  job_ensure_scratch
  for jar in "$@"; do
    [[ -r $jar ]] || fail "verifying $jar: it cannot be read. Name a jar of a release."
    verify_jar "$(readlink -f -- "$jar")" "$job_scratch/released" || status=1
  done
  return "$status"
}

# Prints what was found.
verify_jar() { # jar, folder to unpack it to
  local commit build again findings
  verify_unpack "$1" "$2"
  commit=$(verify_attribute "$2" Implementation-Commit)
  [[ $commit =~ ^[0-9a-f]{40}$ ]] ||
    fail "verifying $1: its manifest names no commit. Take a jar of ./threadclock release that has classes in it."
  verify_choose_jdk "$1" "$(verify_attribute "$2" Build-Jdk-Spec)"
  build=$state/verify/$commit
  [[ -r $build/built && $(<"$build/built") == "$(verify_making "$2")" ]] || verify_build "$commit" "$2" "$build"
  again=$(verify_counterpart "$build" "$(verify_attribute "$2" Implementation-Title)" "$1")
  if cmp -s -- "$1" "$again"; then
    printf '%s: the same bytes as commit %s gives\n' "$1" "$commit"
    return
  fi
  verify_unpack "$again" "$job_scratch/again"
  findings=$(verify_differences "$2" "$job_scratch/again")
  printf '%s: not what commit %s gives\n%s\n' "$1" "$commit" \
    "${findings:-  the entries are the same, but not their order, times or attributes}"
  return 1
}

verify_unpack() { # jar, folder
  rm -rf -- "$2"
  mkdir -p -- "$2"
  (cd -- "$2" && "$JAVA_HOME/bin/jar" --extract --file "$1") 2>/dev/null ||
    fail "verifying $1: it cannot be unpacked. Name a jar of a release."
}

# What a build puts into its jars, besides the commit.
verify_making() { # folder of the jar
  printf '%s\n' "$JAVA_HOME" "$(verify_attribute "$1" Implementation-Version)" "$(verify_attribute "$1" Implementation-URL)"
}

# Long values go on in lines that begin with a space. A file without a manifest has no attributes.
verify_attribute() { # folder, name
  [[ -r $1/META-INF/MANIFEST.MF ]] || return 0
  tr -d '\r' <"$1/META-INF/MANIFEST.MF" | sed -n ':a; N; $!ba; s/\n //g; p' | sed -n "s/^$2: //p"
}

# Another JDK's compiler gives other classes.
verify_choose_jdk() { # jar, feature version
  local home homes
  IFS=: read -ra homes <<<"$(jdk_homes_of "$2")"
  for home in "${homes[@]}"; do
    if jdk_is_complete "$home"; then
      export JAVA_HOME=$home
      return
    fi
  done
  fail "verifying $1: JDK $2 has built it, and none is here. Install one, such as openjdk-$2-jdk-headless, or name it in JAVA_HOME."
}

verify_build() { # commit, folder of the jar, folder to build in
  local arguments
  arguments=("$1" "$(verify_attribute "$2" Implementation-Version)" "$(verify_attribute "$2" Implementation-URL)" "$3")
  rm -rf -- "${3%/*}"
  release_build "${arguments[@]}"
  release_maven "${arguments[@]}" "building commit $1" -Dmaven.javadoc.skip -Dmaven.source.skip -Dcyclonedx.skip package
  verify_making "$2" >"$3/built"
}

# A module's folder and its jar have one name.
verify_counterpart() { # folder, artifact, jar
  local module name
  module=$(cd -- "$1" && grep -lx "  <artifactId>$2</artifactId>" ./*/pom.xml | cut -d/ -f2)
  name=$module
  [[ $3 != *-extension.jar ]] || name+=-extension
  printf '%s' "$1/$module/target/$name.jar"
}

verify_differences() { # folder of the release, folder of the commit
  local entry
  { (cd -- "$1" && find . -type f) && (cd -- "$2" && find . -type f); } | LC_ALL=C sort -u | while IFS= read -r entry; do
    if [[ ! -e $2/$entry ]]; then
      printf '  %s: only in the jar\n' "${entry#./}"
    elif [[ ! -e $1/$entry ]]; then
      printf '  %s: missing from the jar\n' "${entry#./}"
    elif ! cmp -s -- "$1/$entry" "$2/$entry"; then
      printf '  %s: differs\n' "${entry#./}"
    fi
  done
}
