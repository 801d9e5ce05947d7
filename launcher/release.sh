# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# release: all that is published, in a folder, and by JReleaser to where it is published; without --publish all but that.
# verify: jars of a release, compared with what their commit gives. Both build a clone of the commit, so that nothing of an
# earlier build, and nothing uncommitted, is included.

readonly RELEASE_MODULES=(library integrations/{bom,jfr,micrometer,spring-boot3,spring-boot,opentelemetry})
readonly RELEASE_PLATFORMS=(linux-x86_64 linux-aarch64) # each for glibc and for musl
readonly RELEASE_PYTHON=bindings/python
readonly RELEASE_RUST=bindings/rust
readonly RELEASE_JRELEASER=org.jreleaser:jreleaser-maven-plugin:1.23.0

release_folder=$root/release # what is written to
release_home=${PROJECT_HOME:-}
release_is_rehearsed=true # or nothing: it is published

release_write() {
  local tag version build=$state/release out=$state/release/out image=(--image) kept
  toolchain_require git
  tag=$(release_tag) || exit
  version=${tag#v}
  if [[ -n $release_is_rehearsed && ! -d $store/$DIST_ROOT ]] && ! apt_is_here; then
    say "apt-get is not here: the image is left out."
    image=()
  fi
  release_refuse_unready "$version"
  build_begin compiler make jdk maven gpg
  set -- "$(git -C "$root" rev-parse HEAD)" "$version" "$release_home" "$build"
  release_build "$@"
  release_maven "$@" "building $tag" -Dmaven.install.skip=true \
    -DaltDeploymentRepository="staged::file:${out// /%20}/maven" deploy
  # For repositories that hold several versions; it has the time in it.
  find "$out/maven" -name 'maven-metadata.xml*' -delete
  release_check "$out/maven/io/threadclock" "$version"
  build_must "packing the command line" release-dist "$build/threadclock" dist --output="$out/dist" "${image[@]}"
  rm -- "$out"/dist/*.sha256
  release_packages "$build" "$out"
  release_jreleaser "$build" "$version"
  cp -- "$build"/target/jreleaser/{checksums/checksums_,signatures/}* "$out/dist/"
  kept=$release_folder/threadclock-$version
  mkdir -p -- "$release_folder" || fail "creating $release_folder failed. Name another folder by --output."
  rm -rf -- "$kept"
  mv -T -- "$out" "$kept"
  printf '%s\n' "$kept"
}

# For Python and Rust. The workflow uploads them.
release_packages() { # checkout, folder
  if toolchain_has pip && toolchain_has python-headers; then
    build_must "building the wheels" release-wheels "$1/$RELEASE_PYTHON/build_wheels" "$2/python"
  else
    say "pip or Python.h is not here: the wheels are left out."
  fi
  if toolchain_has cargo; then
    build_must "packing the crates" release-crates cargo package --quiet --no-verify --manifest-path "$1/$RELEASE_RUST/Cargo.toml" \
      --target-dir "$1/target/crates" -p threadclock-sys -p threadclock
    mkdir -p -- "$2/crates"
    cp -- "$1"/target/crates/package/*.crate "$2/crates/"
  else
    say "cargo is not here: the crates are left out."
  fi
}

# Signs all, writes checksums, and uploads: to Maven Central, and as a release on GitHub.
release_jreleaser() { # checkout, version
  local log=$state/release-jreleaser.log number
  number=$(dist_property revision "$1/pom.xml")
  export PROJECT_HOME=$release_home JRELEASER_GPG_PASSPHRASE=${JRELEASER_GPG_PASSPHRASE:-}
  [[ -z $release_is_rehearsed ]] ||
    export JRELEASER_{GITHUB_TOKEN,MAVENCENTRAL_USERNAME,MAVENCENTRAL_PASSWORD}=none JRELEASER_MAVENCENTRAL_URL=$release_home
  build_maven_in "$1" "signing and publishing" "$log" -N -Dchangelist="${2#"$number"}" \
    -Djreleaser.config.file="$1/launcher/jreleaser.yml" -Djreleaser.dry.run="${release_is_rehearsed:-false}" \
    "$RELEASE_JRELEASER:full-release" || build_failed JReleaser "$log"
}

# Makes the documents those of a release: the passages that hold only before one give way to those that hold afterwards.
release_document() { # version
  local snapshot
  snapshot=$(dist_property revision)$(dist_property changelist)
  (cd -- "$root" && perl -0777 -pi -e 'BEGIN { ($snapshot, $version) = splice @ARGV, 0, 2 }
    s/<!--unreleased-->.*?<!--released(.*?)--> ?/$1/gs; s/\Q$snapshot\E/$version/g; s/^## \[Unreleased\]/## [$version]/m' \
    "$snapshot" "$1" ./*.md docs/*.md)
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
  [[ $release_home == https://?*/?*/?* ]] ||
    fail "releasing: the poms need the project's address, and it is '$release_home'. Give it by --home=https://HOST/OWNER/NAME or in PROJECT_HOME."
  snapshot=$(dist_property revision)$(dist_property changelist)
  ! findings=$(cd -- "$root" && grep -lF -e "$snapshot" -e '<!--unreleased-->' ./*.md docs/*.md) ||
    fail "releasing $1: these documents tell $snapshot, or that there is no release: ${findings//$'\n'/ }. Run ./threadclock release --documents=$1, and commit them."
  grep -qF -- "## [$1]" "$root/CHANGELOG.md" ||
    fail "releasing $1: CHANGELOG.md has no heading '## [$1]'. Give what is unreleased that heading."
}

# Leaves a clone at the commit, and its native libraries. JReleaser takes the place of a release from the clone's origin.
release_build() { # commit, version, home, folder
  rm -rf -- "$4"
  umask 022 # jars hold permissions
  git clone -q --no-checkout -- "$root" "$4"
  git -C "$4" checkout -q "$1" 2>/dev/null || fail "taking the files of commit $1 failed. Fetch it: git fetch."
  git -C "$4" remote set-url origin "$3"
  zig_provide
  build_must "building the native libraries of $2" release-natives make --no-print-directory -C "$4/native" \
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

verify_counterpart() { # folder, artifact, jar
  local pom which=(! -name '*-extension.jar')
  pom=$(find "$1" -name pom.xml -exec grep -lx "  <artifactId>$2</artifactId>" {} +)
  [[ $3 != *-extension.jar ]] || which=(-name '*-extension.jar')
  find "${pom%pom.xml}target" -maxdepth 1 -name '*.jar' "${which[@]}"
}

verify_differences() { # folder of the release, folder of the commit
  diff -rq -- "$1" "$2" | LC_ALL=C sed -E "s,^Files $1/(.*) and .* differ$,  \1: differs,
    s,^Only in $1/?(.*): (.*),  \1/\2: only in the jar,; s,^Only in $2/?(.*): (.*),  \1/\2: missing from the jar,; s,^  /,  ,"
}
