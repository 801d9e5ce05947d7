#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds what is published for Java programs twice, from copies of this checkout's sources.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-release.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT

readonly LIBRARY=threadclock-native/build/libthreadclock.so
readonly MODULES=(threadclock-library threadclock-jfr threadclock-micrometer threadclock-spring-boot-starter)
readonly PUBLISHED=threadclock-library/target/threadclock-library
jar=${JAVA_HOME:+$JAVA_HOME/bin/}jar
readonly KINDS=(.jar -sources.jar -javadoc.jar -cyclonedx.json)

# Copies the sources without the times of the files, so that the copies differ in them.
copy_sources() { # folder
  mkdir -p -- "$1"
  (cd -- "$root" && find pom.xml mvnw .mvn .ci ./*/pom.xml threadclock-native "${MODULES[@]}" \
    \( -name build -o -name target \) -prune -o -type f -print0 | tar --null -T - -c) | tar -x -m -C "$1"
}

# Only warnings are left in its log. (The validator's warnings are about CycloneDX's own schema.)
readonly WARNINGS_ONLY=(-Dorg.slf4j.simpleLogger.defaultLogLevel=warn -Dorg.slf4j.simpleLogger.log.com.networknt=error)

build() { # folder
  "$1/mvnw" -B -ntp "${WARNINGS_ONLY[@]}" -f "$1/pom.xml" -pl "$(IFS=, && printf '%s' "${MODULES[*]}")" -Prelease \
    -Dmaven.test.skip=true package
} >"$scratch/log" 2>&1

# But what make says that it compiles.
warnings() {
  grep -vE '^  [A-Z]+ ' "$scratch/log"
}

same() { # file, sentence
  is "$(cmp -- "$one/$1" "$another/$1" 2>&1)" '' "$2"
}

one=$scratch/one
copy_sources "$one"
build "$one"
is "$? $(warnings)" '0 ' 'the jars, their sources, documentation and bills of materials are built without a warning'

another="$scratch/another place"
copy_sources "$another"
TZ=Asia/Kolkata LC_ALL=C build "$another"
is "$? $(warnings)" '0 ' 'so they are later, elsewhere, in another time zone'

same "$LIBRARY" "the native library has the same bytes, with its debug information"
for module in "${MODULES[@]}"; do
  for kind in "${KINDS[@]}"; do
    same "$module/target/$module$kind" "$module$kind has the same bytes"
  done
done

names() { # archive
  "$jar" --list --file "$one/$PUBLISHED$1"
}
is "$(names .jar | grep -c '^META-INF/native/linux-.*/libthreadclock\.so$') $(names -sources.jar | grep -c '\.so$')" '1 0' \
  'the native library is in the jar, and not among the sources'
is "$(names -sources.jar | grep -c '^META-INF/versions/9/module-info\.java$')" 1 'the sources of newer Java versions are among them'
mkdir "$scratch/jar"
(cd "$scratch/jar" && "$jar" --extract --file "$one/$PUBLISHED.jar")
sections=$(readelf --sections --wide "$scratch/jar/META-INF/native"/linux-*/libthreadclock.so)
like "$sections" '\.text ' 'it can be read in there'
unlike "$sections" '\.debug_' 'and has no debug information'
like "$("$jar" --file "$one/$PUBLISHED.jar" --describe-module --release 9)" 'io\.threadclock@[^ ]+ jar:.*'$'\n''exports io\.threadclock' 'the jar is the module io.threadclock'
like "$(<"$one/$PUBLISHED-cyclonedx.json")" '"purl" : "pkg:maven/io.threadclock/threadclock@' 'the bill of materials names the library'
like "$(<"$one/threadclock-micrometer/target/threadclock-micrometer-cyclonedx.json")" '"purl" : "pkg:maven/io.micrometer/micrometer-core@' \
  'that of the meters names Micrometer'

# A history of releases for the copy, which has none of its own.
compare_api() {
  out=$("$one/.ci/compare_api" 2>&1)
  status=$?
}
commit() { # tag
  git -C "$one" add -A && git -C "$one" -c user.name=test -c user.email=test@localhost commit -qm "$1" && git -C "$one" tag "$1"
}
# In the last of the modules, which are all compared in their order.
changed=$one/threadclock-spring-boot-starter/src/main/java/io/threadclock/spring/ThreadClockEndpoint.java
if command -v git >/dev/null; then
  git -C "$one" init -q
  printf '%s\n' build/ target/ >"$one/.gitignore"
  compare_api
  is "$status $out" '0 there is no release yet, that is no tag v*: nothing to compare the API with.' \
    'without a release there is no API to compare with'
  cp "$changed" "$scratch/changed"
  sed -i '/public ThreadClockEndpoint() {}/a /** Is gone. */ public static void gone() {}' "$changed"
  commit v0.0.1
  cp "$scratch/changed" "$changed"
  compare_api
  like "$status $out" '^1 .*gone\(\).*v0\.0\.1' 'a method that the last release had, and this has not, is found'
  rm -rf "$one/.git"
else
  skip 'a method that the last release had, and this has not, is found' 'git is not here'
fi

if GIT_DIR=$(git -C "$root" rev-parse --absolute-git-dir 2>/dev/null) && export GIT_DIR &&
  release=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
  compare_api
  is "$status $out" "0 the API has all that $release has." 'callers of the last release can do with this'
else
  skip 'callers of the last release can do with this' 'there is no release yet, that is no tag v*'
fi

done_testing
