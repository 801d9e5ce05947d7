#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Releases this checkout twice, as it is, from a tag in a repository of its own, into folders; and is the stranger who
# uses what is there.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-release.XXXXXX") || exit 255

readonly MODULES=(threadclock-jfr threadclock-micrometer threadclock-opentelemetry threadclock-spring-boot-starter
  threadclock-spring-boot3)
readonly KINDS=(.jar -sources.jar -javadoc.jar -cyclonedx.json .pom)
readonly ADDRESS=https://example.org/owner/threadclock
jdk=${JAVA_HOME:-$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v javac)")")")}
jar=$jdk/bin/jar
export GNUPGHOME=$scratch/gpg
trap 'gpgconf --kill gpg-agent 2>/dev/null; rm -rf -- "$scratch"' EXIT

missing=
[[ $(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release") -ge 22 ]] || missing='JDK 22 or newer in JAVA_HOME'
for program in git gpg; do command -v "$program" >/dev/null || missing=$program; done
[[ -z $missing ]] || { printf '1..0 # SKIP %s is not here, without which nothing is released\n' "$missing" && exit; }

# ---- a tag in a repository, and two clones of it ----

property() { # name: of the pom
  sed -n "s|^ *<$1>\(.*\)</$1>\$|\1|p" "$root/pom.xml"
}
version=$(property revision)
commit() { # repository, message
  git -C "$1" add -A
  git -C "$1" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false commit -qm "$2"
}

# As a maintainer does it: what is unreleased gets its number, and then a tag.
origin=$scratch/origin
mkdir "$origin"
(cd -- "$root" && find . \( -name .git -o -name .build -o -name build -o -name target -o -path ./dist -o -path ./release \
  -o -path ./report \) -prune -o \( -type f -o -type l \) -print0 | tar --null -T - -c) | tar -x -m -C "$origin"
git -C "$origin" init -q
commit "$origin" 'work on'
"$origin/threadclock" release --documents="$version"
none "$(cd -- "$origin" && cat ./*.md docs/*.md | tr -s '\n' ' ' | grep -oiE "no release yet|released-->|$version$(property changelist)|## \[Unreleased")" \
  'one command makes the documents those of a release'
commit "$origin" "release $version"
git -C "$origin" tag "v$version"
one=$scratch/one
git clone -q "$origin" "$one"
another="$scratch/another place"
git clone -q "$origin" "$another"

# Maven prints only warnings. (The validator's warnings are about CycloneDX's own schema.)
release() { # clone, arguments…
  PROJECT_HOME='' THREADCLOCK_JDKS=$jdk MAVEN_OPTS='-Dorg.slf4j.simpleLogger.defaultLogLevel=warn -Dorg.slf4j.simpleLogger.log.com.networknt=error' \
    "$1/threadclock" release "${@:2}" >"$scratch/out" 2>"$scratch/log" </dev/null
  status=$?
}
address=http://example.org
cd -- "$one" || exit 1
# What is done; the message; the sentence.
while IFS='|' read -r change message sentence; do
  eval "$change" >/dev/null
  release "$one" "--home=$address"
  like "$status $(<"$scratch/log")" "^1 threadclock: releasing.*$message" "$sentence"
done <<END
|project.s address|a release wants the address of the project
address=$ADDRESS; touch stray|not committed|nothing is released from a checkout with other files
rm stray; git checkout -q v$version~|has no tag v\*|nor from a commit without a tag
git tag v999.0.0|in pom.xml is $version|nor by a tag with another number
git tag -d v999.0.0; git tag v$version-rc1|these documents tell $version-SNAPSHOT,.*README\.md|nor while documents tell of a snapshot
END
git checkout -q "v$version"
cd -- "$root" || exit 1

# ---- twice, with a key that is thrown away ----

mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'threadclock test <test@localhost>' 2>/dev/null
key=$(gpg --list-keys --with-colons | sed -n 's/^fpr:*\([^:]*\).*/\1/p' | head -n 1)
release "$one" "--home=$ADDRESS" "--key=$key" --output="$scratch/released"
released=$scratch/released/threadclock-$version
staged=$released/maven
is "$status $(<"$scratch/out")" "0 $released" 'a release from a tag succeeds, and tells where it is'
if [[ ! -d $staged ]]; then
  tap_explain "$(<"$scratch/log")"
  done_testing
  exit 1
fi
is "$(grep -v '^NOTE: Picked up ' "$one/.build/release-build.log")" '' \
  'the jars, their sources, documentation and bills of materials are built without a warning'
again=$scratch/again/threadclock-$version
(umask 077 && TZ=Asia/Kolkata LC_ALL=C release "$another" "--home=$ADDRESS" "--key=$key" --output="$scratch/again")
is "$(diff -rq -x '*.asc*' -- "$released" "$again" 2>&1)" '' \
  'another one has the same bytes, from another clone, time zone and umask, except for signatures'

# ---- beside Maven's repository ----

readonly ARCHIVE=threadclock-$version.tar.gz
like "$(<"$released/dist/threadclock-$version-cyclonedx.json")" '"purl" : "pkg:maven/org.questdb/questdb@' \
  'the archive of the command line has its bill of materials beside it'
is "$(cd -- "$released/dist" && sha256sum --check --quiet checksums_sha256.txt 2>&1 && sha512sum --check --quiet checksums_sha512.txt 2>&1)" '' \
  'their checksums are right'
none "$(cd -- "$released/dist" && for file in *; do [[ $file == *.asc ]] || gpg --batch --verify "$file.asc" "$file" 2>/dev/null || echo "$file"; done)" \
  'and each has a signature'
like "$(grep -E 'dry-run|uploading|bundle' "$one/.build/release/target/jreleaser/trace.log")" \
  "dry-run set to true.*io\.threadclock-threadclock-.*-bundle\.zip.*uploading $ARCHIVE" 'the upload to Maven Central and to GitHub is rehearsed'
packed=("$released"/dist/{*.tar.gz,*-oci.tar,*.deb,*-cyclonedx.json})
none "$(ls -- "${packed[@]}" 2>&1 >/dev/null)" 'the archive, the image, the package of Debian and the bill of materials are there'
if command -v python3 >/dev/null && python3 -m pip --version >"$scratch/log" 2>&1 && command -v cargo >>"$scratch/log"; then
  is "$(cd -- "$released" && find python crates -name "threadclock*$version*" | wc -l)" 7 'the wheels and the crates are there'
else
  skip 'the wheels and the crates are there' 'pip or cargo is not here'
fi

# ---- what Maven Central demands ----

published=$staged/io/threadclock
of() { # module, kind: its file
  printf '%s/%s/%s/%s-%s%s' "$published" "$1" "$version" "$1" "$version" "$2"
}
for kind in "${KINDS[@]}"; do
  is "$(cd -- "$published" && compgen -G "*/$version/*-$version$kind" | cut -d/ -f1 | grep -vx threadclock-bom | sort | xargs)" \
    "threadclock ${MODULES[*]}" "each module has its $kind"
done
lacking() { # prints what each pom has not
  local pom element text
  while IFS= read -r pom; do
    text=$(tr -s ' \n' ' ' <"$pom")
    for element in '<name>[^<]+</name>' '<description>[^<]+</description>' "<url>$ADDRESS</url>" \
      '<licenses> <license> <name>Apache-2.0</name> <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>' \
      '<developers> <developer> <name>[^<]+</name>' "<connection>scm:git:$ADDRESS</connection>" \
      "<tag>$(git -C "$one" rev-parse HEAD)</tag>" "<scm.*<url>$ADDRESS</url> </scm>" "<version>$version</version>"; do
      [[ $text =~ $element ]] || printf '%s: %s\n' "${pom##*/}" "$element"
    done
    ! grep -nE '<parent>|\$\{|SNAPSHOT' <(grep -vF '<version>${project.version}</version>' "$pom") || printf 'in %s\n' "$pom"
  done < <(find "$published" -name '*.pom')
}
none "$(lacking)" 'each pom has what Maven Central demands, no parent, and the commit'
signed() { # prints the files without a signature of that key, or without right checksums
  local file sum
  while IFS= read -r file; do
    gpg --batch --status-fd 1 --verify "$file.asc" "$file" 2>/dev/null | grep -q "^\[GNUPG:\] VALIDSIG $key" || printf 'signature of %s\n' "$file"
    for sum in md5 sha1 sha256 sha512; do
      [[ $(<"$file.$sum") == "$("${sum}sum" <"$file" | cut -d' ' -f1)" ]] || printf '%s of %s\n' "$sum" "$file"
    done
  done < <(find "$published" -type f ! -name '*.asc' ! -name '*.md5' ! -name '*.sha*')
}
none "$(signed)" 'each file has a signature, and the checksums that are its own'

# ---- what is in the jars ----

listed() { # module, kind
  "$jar" --list --file "$(of "$1" "$2")"
}
is "$(listed threadclock .jar | grep -c '^META-INF/native/linux-\(x86_64\|aarch64\)/libthreadclock\.so$') $(listed threadclock -sources.jar | grep -c '\.so$')" '2 0' \
  'the native libraries are in the jar, and not among the sources'
is "$(listed threadclock-opentelemetry -extension.jar | grep -cE '^(io/threadclock/CpuAccount\.class|META-INF/native/linux-.*/libthreadclock\.so|io/opentelemetry/.*)$')" 3 \
  'the jar for the agent of OpenTelemetry has the library in it, and nothing of OpenTelemetry'
none "$(find "$staged" -name '*.jar' | while IFS= read -r file; do
  [[ $("$jar" --list --file "$file" | grep -cxE 'META-INF/(LICENSE|NOTICE)') == 2 ]] || echo "${file##*/}"
done)" 'each jar has the licence and the notice in it'
mkdir "$scratch/jar"
(cd "$scratch/jar" && "$jar" --extract --file "$(of threadclock .jar)")
is "$(readelf --sections --wide "$scratch/jar/META-INF/native"/linux-*/libthreadclock.so | grep -oE ' \.(text|debug_[a-z]+) ' | xargs)" '.text .text' \
  'the native libraries have no debug information in there'
like "$(<"$(of threadclock-micrometer -cyclonedx.json)")" '"purl" : "pkg:maven/io.micrometer/micrometer-core@' \
  'the bill of materials of the meters names Micrometer'

# A build on another machine may lack each of these without failing.
check_without() { # module, kind, folder
  local lacking
  rm -rf -- "$scratch/lacking"
  cp -r -- "$published" "$scratch/lacking"
  lacking=$(published=$scratch/lacking of "$1" "$2")
  (mkdir "$lacking.tree" && cd "$lacking.tree" && "$jar" --extract --file "$lacking" && rm -r "$3" && "$jar" --create --no-manifest --file "$lacking" .)
  # shellcheck disable=SC2016
  root=$root state=. JAVA_HOME=$jdk JDK_NEWER=22 bash -c 'fail() { printf "%s" "$*" && exit 1; }
    source "$root/launcher/release.sh" && release_check "$@"' - "$scratch/lacking" "$version"
}
like "$(check_without threadclock .jar META-INF/versions/22)" 'has no META-INF/versions/22/.*\. JDK 22 or newer' \
  'without the binding by foreign functions, a release is refused'
like "$(check_without threadclock .jar META-INF/native/linux-aarch64)" 'threadclock-[^ ]*\.jar has no META-INF/native/linux-aarch64/' \
  'and without the library of one architecture'
like "$(check_without threadclock-opentelemetry -extension.jar META-INF/native)" '-extension\.jar has no META-INF/native/' \
  'also in the jar for the agent of OpenTelemetry'

# ---- verify ----

mkdir -p "$scratch/tampered/io/threadclock"
cp -- "$(of threadclock .jar)" "$scratch/tampered.jar"
{ cat -- "$scratch/jar/io/threadclock/PoolName.class" && printf x; } >"$scratch/tampered/io/threadclock/PoolName.class"
"$jar" --update --file "$scratch/tampered.jar" -C "$scratch/tampered" io/threadclock/PoolName.class
out=$(THREADCLOCK_JDKS=$jdk "$one/threadclock" verify "$(of threadclock .jar)" "$(of threadclock-opentelemetry -extension.jar)" "$scratch/tampered.jar" 2>"$scratch/log")
is "$?" 1 'verify fails for a jar that is not of its commit'
is "$(head -n 2 <<<"$out" | grep -c ": the same bytes as commit $(git -C "$one" rev-parse HEAD) gives\$")" 2 \
  'but finds the bytes of a released jar in what its commit gives'
is "$(sed 1,3d <<<"$out")" '  io/threadclock/PoolName.class: differs' 'and names the entry that differs, and no other'

# ---- programs of strangers ----

consumers=$scratch/consumers
cp -r -- "$root/launcher/test/consumers" "$consumers"
dependency() { # GROUP:ARTIFACT, further elements
  printf '<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s</dependency>\n' "${1%:*}" "${1#*:}" "$2"
}
program() { # folder, elements of its pom, dependencies as GROUP:ARTIFACT…
  {
    printf '<project xmlns="http://maven.apache.org/POM/4.0.0">\n<modelVersion>4.0.0</modelVersion>\n<artifactId>%s</artifactId>\n' "$1"
    printf '<parent><groupId>consumer</groupId><artifactId>consumers</artifactId><version>1</version></parent>\n%s\n<dependencies>\n' "$2"
    for name in "${@:3}"; do dependency "$name" ''; done
    printf '</dependencies></project>\n'
  } >"$consumers/$1/pom.xml"
}
readonly OURS=io.threadclock:threadclock BOOT=org.springframework.boot:spring-boot
program java8 '<properties><maven.compiler.release>8</maven.compiler.release></properties>' $OURS{,-micrometer,-opentelemetry,-jfr}
program modular '' $OURS-{jfr,micrometer}
# Kotlin's daemon would stay, for two hours, after the test has ended.
program kotlin '<properties><kotlin.compiler.daemon>false</kotlin.compiler.daemon></properties>
  <build><sourceDirectory>src/main/kotlin</sourceDirectory><plugins><plugin>
    <groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>${kotlin.version}</version>
    <executions><execution><phase>compile</phase><goals><goal>compile</goal></goals></execution></executions>
  </plugin></plugins></build>' $OURS org.jetbrains.kotlin:kotlin-stdlib
cp -r -- "$consumers/spring-boot-3" "$consumers/spring-boot-4"
# Spring Boot 4 has another name for what serves pages.
for boot in 3:web:spring-boot3 4:webmvc:spring-boot; do
  IFS=: read -r number web versions <<<"$boot"
  platform=$(dependency $BOOT-dependencies "<version>$(property "$versions.version")</version><type>pom</type><scope>import</scope>")
  program "spring-boot-$number" "<dependencyManagement><dependencies>$platform</dependencies></dependencyManagement>" \
    $BOOT-starter-{"$web",actuator} io.micrometer:micrometer-registry-prometheus $OURS-spring-boot-starter
done
# What this machine's Maven has of others is not fetched again.
mkdir -p "$scratch/others/io"
find "$HOME/.m2/repository" -mindepth 1 -maxdepth 1 ! -name io -exec ln -s -t "$scratch/others" {} +
find "$HOME/.m2/repository/io" -mindepth 1 -maxdepth 1 ! -name threadclock -exec ln -s -t "$scratch/others/io" {} +
"$root/mvnw" -B -ntp -q -T 2 -f "$consumers/pom.xml" -Dmaven.repo.local="$scratch/repository" -Dmaven.repo.local.tail="$scratch/others" \
  -Dthreadclock.version="$version" -Dstaged="$staged" process-classes >"$scratch/log" 2>&1
is "$? $(grep ERROR "$scratch/log" | head -n 5)" '0 ' 'programs for Java 8, of modules, in Kotlin and of Spring Boot are built with what was staged alone'
run() { # JDK, program, options and main class…
  "$1/bin/java" -cp "$consumers/$2/target/classes:$(<"$consumers/$2/target/class-path")" "${@:3}" 2>"$scratch/err"
}
like "$(run "$jdk" java8 --enable-native-access=ALL-UNNAMED Eight)" '^true true ' 'the one for Java 8 runs, with the clock'
IFS=: read -ra homes <<<"${THREADCLOCK_JDKS:-}"
old=
for home in "${homes[@]}" /usr/lib/jvm/*8* "${THREADCLOCK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/threadclock}/jdk-8/home"; do
  [[ ! -x $home/bin/java || $("$home/bin/java" -version 2>&1) != *' "1.8.'* ]] || old=$home
done
if [[ -n $old ]]; then
  like "$(run "$old" java8 Eight)" '^true true ' 'also on Java 8'
else
  skip 'also on Java 8' 'no JDK 8 is here: ./threadclock jdks --jdks=8 fetches one'
fi
is "$(run "$jdk" kotlin --enable-native-access=ALL-UNNAMED MainKt)" 'true true' 'the one in Kotlin runs, with the clock'
modules=$consumers/modular/target/classes:$(<"$consumers/modular/target/class-path")
"$jdk/bin/jlink" --module-path "$modules" --add-modules consumer --launcher consume=consumer/consumer.Modular --output "$scratch/image" 2>&1
is "$("$scratch/image/bin/consume" 2>/dev/null)" 'true true io.threadclock io.threadclock.jfr false' \
  'the one of modules runs on a Java that jlink has made of it'
is "$("$jdk/bin/java" -p "$modules" --add-modules io.threadclock.micrometer -m consumer/consumer.Modular 2>/dev/null)" \
  'true true io.threadclock io.threadclock.jfr true' 'and on any Java with the module of the meters'
for boot in spring-boot-3 spring-boot-4; do
  pages=$(run "$jdk" "$boot" -XX:TieredStopAtLevel=1 -XX:+IgnoreUnrecognizedVMOptions --enable-native-access=ALL-UNNAMED consumer.Application)
  like "$pages" 'http_server_requests_cpu_seconds_sum\{[^}]*uri="/orders"[^}]*\} [0-9.E-]*[1-9]' "$boot: the starter tells the CPU time of each endpoint"
  like "$pages" '"supported":true.*"costliestThreads":\[\{' "$boot: /actuator/threadclock tells the costliest threads"
done

# Of the registries, only Debian has a Gradle; it runs on JDK 17 at most.
seventeen=$(find /usr/lib/jvm -maxdepth 1 -name 'java-17-openjdk*' -print -quit 2>/dev/null)
if command -v gradle >/dev/null && [[ -n $seventeen ]]; then
  like "$(JAVA_HOME=$seventeen gradle --no-daemon -q -g "$scratch/gradle" -p "$consumers/gradle" -Pstaged="$staged" -PthreadclockVersion="$version" run 2>&1)" \
    'clock: true true' 'one that Gradle builds runs, with the clock'
else
  skip 'one that Gradle builds runs, with the clock' "Gradle or JDK 17 for it is not here: Debian's package gradle"
fi

# ---- the API ----

# A history of releases for what was built, which has none of its own.
one=$one/.build/release
compare_api() { # of its status and what it says, regular expression, sentence
  out=$("$one/.ci/compare" api 2>&1)
  like "$? $out" "$1" "$2"
}
# In the last of the modules, which are all compared in their order.
changed=$one/integrations/opentelemetry/src/main/java/io/threadclock/opentelemetry/ThreadClockCustomizer.java
rm -rf "$one/.git"
git -C "$one" init -q
printf '%s\n' build/ target/ out/ >"$one/.gitignore"
cp "$changed" "$scratch/changed"
sed -i '/public ThreadClockCustomizer() {}/a /** Is gone. */ public static void gone() {}' "$changed"
commit "$one" before
git -C "$one" tag v0.0.1
cp "$scratch/changed" "$changed"
compare_api '^1 .*gone\(\).*v0\.0\.1' 'a method that the last release had, and this has not, is found'
rm -rf "$one/.git"

if GIT_DIR=$(git -C "$root" rev-parse --absolute-git-dir 2>/dev/null) && export GIT_DIR &&
  release=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
  compare_api "^0 the API has all that $release has" 'callers of the last release can do with this'
else
  skip 'callers of the last release can do with this' 'there is no release yet, that is no tag v*'
fi

done_testing
