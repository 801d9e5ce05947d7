# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# dist: the command line as an archive that needs nothing but a Java runtime, with its bill of materials, as packages for
# Debian and Fedora and their relatives, and as an image for containers with Debian's JRE. The same sources and JDK give the
# same bytes.

dist_folder=$root/dist # what is written to
dist_has_image=        # set: an image, too

readonly DIST_BOM=org.cyclonedx:cyclonedx-maven-plugin:makeBom # the bill of materials
# The modules that the command line is made of.
readonly DIST_MODULES=(library tests/harness recorder cli)

dist_write() {
  build_begin compiler make jdk maven
  build_natives
  dist_make "$state/dist" "$dist_folder"
  [[ -z $dist_has_image ]] || dist_image "$state/dist" "$dist_folder"
}

# Prints the paths of what it writes.
dist_make() { # folder to build in, folder to write to
  local name stage
  name=threadclock-$(dist_version)
  stage=$1/$name
  mkdir -p -- "$2" || fail "creating $2 failed. Name another folder by --output."
  dist_build "$1"
  dist_fill "$1" "$stage"
  build_must "packing $name" dist bash -c "$(declare -f dist_pack dist_tar)"'; set -euo pipefail; dist_pack "$@"' dist_pack \
    "$stage" "$(dist_property project.build.outputTimestamp)" "$2/$name.tar.gz"
  dist_tell "$2" "$name.tar.gz"
  cp -- "$1/cli/target/threadclock-cli-cyclonedx.json" "$2/$name-cyclonedx.json"
  dist_tell "$2" "$name-cyclonedx.json"
  dist_package "$stage" "$1/deb" "$2"
  dist_package_rpm "$stage" "$2"
}

dist_tell() { # folder, file: with its checksum beside it
  (cd -- "$1" && sha256sum -- "$2" >"$2.sha256")
  printf '%s\n' "$1/$2"
}

dist_version() {
  printf '%s%s' "$(dist_property revision)" "$(dist_changelist)"
}

# That of the tag, if the checkout is at one of this version.
dist_changelist() {
  local number tag
  number=$(dist_property revision)
  if tag=$(git -C "$root" describe --tags --exact-match --dirty --match "v$number*" 2>/dev/null); then
    printf '%s' "${tag#v"$number"}"
  else
    dist_property changelist
  fi
}

dist_property() { # name, pom; none: this checkout's
  sed -n "s|^ *<$1>\(.*\)</$1>\$|\1|p" "${2:-$root/pom.xml}"
}

# Builds in a copy of the sources, so that nothing of an earlier build is included.
dist_build() { # folder
  local log=$state/dist-build.log modules
  rm -rf -- "$1"
  mkdir -p -- "$1"
  mapfile -t modules < <(build_java_modules)
  (cd -- "$root" && tar -cf - LICENSE NOTICE pom.xml mvnw .mvn "${modules[@]/%//pom.xml}" "${DIST_MODULES[@]/%//src}" \
    native/build/native) |
    tar -C "$1" --touch -xf -
  build_maven_in "$1" "building the command line" "$log" -pl cli -am -Dnatives=all -Dchangelist="$(dist_changelist)" \
    package "$DIST_BOM" -Dmaven.test.skip ||
    build_failed "./mvnw -pl cli -am package" "$log"
}

dist_fill() { # folder that it was built in, folder
  local module=$1/cli
  mkdir -p -- "$2/bin" "$2/lib"
  cp -- "$module/src/main/sh/threadclock" "$2/bin/"
  chmod +x -- "$2/bin/threadclock"
  cp -- "$module/target/$CLI_JAR" "$module"/target/lib/*.jar "$2/lib/"
  build_must "taking QuestDB's libraries for other systems out" dist bash -c "$(declare -f dist_strip)"'; set -euo pipefail; dist_strip "$@"' \
    dist_strip "$(compgen -G "$2/lib/questdb-[0-9]*.jar")" "$1/questdb" "$(dist_property project.build.outputTimestamp)"
  cp -r -- "$1"/native/build/native/linux-* "$2/lib/"
  cp -- "$root/LICENSE" "$root/NOTICE" "$2/"
  build_must "writing the manual" dist "$JAVA_HOME/bin/java" -cp "$2/lib/*" io.threadclock.cli.Manual "$2"
}

dist_strip() { # jar, folder to unpack it to, time
  mkdir -p -- "$2" && cd -- "$2"
  "$JAVA_HOME/bin/jar" --extract --file "$1"
  rm -rf -- io/questdb/bin/{darwin,windows}-*
  find . -type f | LC_ALL=C sort >../questdb.list
  "$JAVA_HOME/bin/jar" --create --file "$1" --no-manifest --date="$3" @../questdb.list
}

# The archive does not depend on the packer or the time: order, times, owners and permissions are fixed.
dist_pack() { # folder, time, archive
  dist_tar "$(dirname -- "$1")" "$2" "$(basename -- "$1")" | gzip -9n >"$3.new"
  mv -- "$3.new" "$3"
}

dist_tar() { # folder, time, what is in it…
  tar -C "$1" --sort=name --format=ustar --mtime="$2" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - "${@:3}"
}

# ---- packages ----

# A snapshot is older than its release.
dist_package_version() {
  local version
  version=$(dist_version)
  printf '%s' "${version/-/\~}"
}

dist_epoch() {
  date -d "$(dist_property project.build.outputTimestamp)" +%s
}

dist_fill_tree() { # stage, folder, where zsh looks
  rm -rf -- "$2"
  mkdir -p -- "$2"/usr/{bin,lib/threadclock,share/{doc/threadclock,man}} "$2/$3"
  cp -r -- "$1/bin" "$1/lib" "$2/usr/lib/threadclock/"
  cp -r -- "$1/share/bash-completion" "$2/usr/share/"
  cp -r -- "$1/share/man/man1" "$2/usr/share/man/"
  cp -- "$1/share/zsh/site-functions/_threadclock" "$2/$3/"
  cp -- "$root/LICENSE" "$2/usr/share/doc/threadclock/copyright"
  gzip -9n -- "$2"/usr/share/man/man1/*.1
  ln -s ../lib/threadclock/bin/threadclock "$2/usr/bin/threadclock"
  chmod -R u=rwX,go=rX -- "$2"
  chmod 755 -- "$2/usr/lib/threadclock/bin/threadclock"
}

dist_package() { # stage, folder to build in, folder to write to
  local version name
  if ! command -v dpkg-deb >/dev/null; then
    say "dpkg-deb is not here: the command line is not packed for Debian."
    return
  fi
  version=$(dist_package_version)
  name=threadclock_${version}_all.deb
  dist_fill_tree "$1" "$2" usr/share/zsh/vendor-completions
  mkdir -- "$2/DEBIAN"
  cat >"$2/DEBIAN/control" <<END
Package: threadclock
Version: $version
Architecture: all
Maintainer: The authors of threadclock
Depends: java17-runtime-headless
Section: utils
Priority: optional
Description: what each thread of a JVM costs
$(dist_description | sed 's/^/ /')
END
  chmod -R u=rwX,go=rX -- "$2/DEBIAN"
  build_must "packing $name" dist env SOURCE_DATE_EPOCH="$(dist_epoch)" \
    dpkg-deb --root-owner-group -Zgzip -z9 --build "$2" "$3/$name"
  dist_tell "$3" "$name"
}

dist_description() {
  printf '%s\n' 'Commands for those who operate JVMs: they make ThreadMXBean fast, and show and' \
    'record user, system and CPU time of threads.'
}

# Nothing in it is built, stripped or compressed by rpmbuild; its libraries are for two architectures.
dist_package_rpm() { # stage, folder to write to
  local version name define folder defines=()
  if ! command -v rpmbuild >/dev/null; then
    say "rpmbuild is not here: the command line is not packed for Fedora and its relatives."
    return
  fi
  version=$(dist_package_version)
  name=threadclock-$version-1.noarch.rpm
  job_ensure_scratch
  folder=$job_scratch/rpm # rpmbuild divides paths at spaces, which that of the checkout may have
  rm -rf -- "$folder"
  dist_fill_tree "$1" "$folder/tree" usr/share/zsh/site-functions
  cat >"$folder/threadclock.spec" <<END
Name: threadclock
Version: $version
Release: 1
Summary: What each thread of a JVM costs
License: Apache-2.0
BuildArch: noarch
AutoReqProv: no
Requires: java-headless >= 1:17
%description
$(dist_description)
%install
cp -a $folder/tree/. %{buildroot}
%files
%defattr(-, root, root)
$(cd -- "$folder/tree" && find usr -type d -name '*threadclock*' -prune -print -o ! -type d -print | sed 's,^,/,')
END
  for define in "_topdir $folder/work" "_rpmdir $folder" '_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm' '_binary_payload w9.gzdio' \
    '__os_install_post %{nil}' '_build_id_links none' '_binaries_in_noarch_packages_terminate_build 0' '_buildhost threadclock' \
    'use_source_date_epoch_as_buildtime 1' 'clamp_mtime_to_source_date_epoch 1'; do
    defines+=(--define "$define")
  done
  build_must "packing $name" dist env SOURCE_DATE_EPOCH="$(dist_epoch)" rpmbuild --quiet -bb "${defines[@]}" "$folder/threadclock.spec"
  mv -- "$folder/$name" "$2/"
  dist_tell "$2" "$name"
}

# ---- an image for containers: the layout of OCI's image specification, in a tar file ----

# Two layers: Debian's JRE with a shell, and the commands.
dist_image() { # folder that the command line was built in, folder to write to
  local name image=$1/image work=$1/image-work time jre commands
  name=threadclock-$(dist_version)-oci.tar
  time=$(dist_property project.build.outputTimestamp)
  dist_provide_root || fail "making an image takes a root with Debian's JRE, which only apt-get fetches. Leave --image out."
  rm -rf -- "$image" "$work"
  mkdir -p -- "$image/blobs/sha256" "$work"/base/{tmp,proc,dev,etc/ssl/certs/java} "$work/opt/threadclock" "$work/usr/local/bin"
  printf 'root:x:0:0:root:/root:/bin/sh\n' >"$work/base/etc/passwd"
  cp -L -- "$JAVA_HOME/lib/security/cacerts" "$work/base/etc/ssl/certs/java/" # where Debian's JRE looks for it
  chmod -R u=rwX,go=rX -- "$work/base" # whatever the umask is
  chmod 1777 -- "$work/base/tmp"
  cp -r -- "$1/threadclock-$(dist_version)"/{bin,lib,LICENSE,NOTICE} "$work/opt/threadclock/"
  ln -s /opt/threadclock/bin/threadclock "$work/usr/local/bin/threadclock"
  say "packing $name …"
  jre=$(dist_layer "$image" "$time" -C "$store/$DIST_ROOT" --exclude=./tmp --exclude=./proc --exclude=./dev --exclude=./opt . \
    -C "$work/base" tmp proc dev etc)
  commands=$(dist_layer "$image" "$time" --mode=u=rwX,go=rX -C "$work" opt usr)
  dist_describe_image "$image" "$time" "$jre" "$commands"
  dist_tar "$image" "$time" blobs index.json oci-layout >"$2/$name"
  dist_tell "$2" "$name"
}

# Prints the digests of the layer as it is, and of its blob.
dist_layer() { # image, time, arguments of tar…
  local blob=$1/layer plain
  tar --sort=name --format=gnu --mtime="$2" --owner=0 --group=0 --numeric-owner -cf "$blob.tar" "${@:3}"
  plain=$(sha256sum <"$blob.tar")
  gzip -6n -- "$blob.tar"
  printf '%s %s' "${plain%% *}" "$(dist_blob "$1" "$blob.tar.gz")"
}

dist_blob() { # image, file, which it takes: prints its digest and size
  local digest size
  digest=$(sha256sum <"$2")
  size=$(stat -c %s -- "$2")
  mv -- "$2" "$1/blobs/sha256/${digest%% *}"
  printf '%s %s\n' "${digest%% *}" "$size"
}

dist_describe_image() { # image, time, each layer's digests and size…
  local image=$1 time=$2 plain digest size layers='' plains='' type=application/vnd.oci.image architecture
  architecture=$(dpkg --print-architecture)
  while read -r plain digest size; do
    plains+=${plains:+,}\"sha256:$plain\"
    layers+=${layers:+,}$(dist_descriptor "$type.layer.v1.tar+gzip" "$digest" "$size")
  done < <(printf '%s\n' "${@:3}")
  printf '{"created":"%s","architecture":"%s","os":"linux","config":{"Entrypoint":["threadclock"],"Env":["%s","LANG=C.UTF-8"]},"rootfs":{"type":"layers","diff_ids":[%s]}}' \
    "$time" "$architecture" "PATH=/usr/local/bin:/usr/bin:/bin" "$plains" >"$image/config"
  read -r digest size < <(dist_blob "$image" "$image/config")
  printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json","config":%s,"layers":[%s]}' "$type" \
    "$(dist_descriptor "$type.config.v1+json" "$digest" "$size")" "$layers" >"$image/manifest"
  read -r digest size < <(dist_blob "$image" "$image/manifest")
  printf '{"schemaVersion":2,"mediaType":"%s.index.v1+json","manifests":[%s]}\n' "$type" \
    "$(dist_descriptor "$type.manifest.v1+json" "$digest" "$size")" >"$image/index.json"
  printf '{"imageLayoutVersion":"1.0.0"}\n' >"$image/oci-layout"
}

dist_descriptor() { # media type, digest, size
  printf '{"mediaType":"%s","digest":"sha256:%s","size":%d}' "$@"
}

# ---- test --install ----

readonly DIST_ROOT=jre-17 # in the store
readonly DIST_PACKAGES=(openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g dash coreutils sed util-linux
  libacl1 libattr1 libcap-ng0 libgmp10 libpcre2-8-0 libselinux1)

# Builds and packs twice, the second time elsewhere and with other settings. test --platforms builds the native
# libraries twice, too, and compares them.
dist_made=() # variables that name what archive.t tests

suite_run_install() {
  local files made archive='' again package='' rpm='' image=''
  dist_provide_root ||
    say "a root with only a JRE is not here, and without apt-get not to be had: the archive is not tried in one."
  build_natives
  files=$(dist_make "$state/install/one" "$state/install")
  while read -r made; do
    case $made in
      *.deb) package=$made ;;
      *.rpm) rpm=$made ;;
      *.tar.gz) archive=$made ;;
    esac
  done <<<"$files"
  again=$(umask 077 && TZ=Asia/Kolkata LC_ALL=C dist_make "$state/install/another/folder" "$state/install/again")
  again=${again%%$'\n'*}
  [[ ! -d $store/$DIST_ROOT ]] || image=$(dist_image "$state/install/one" "$state/install")
  dist_made=(DIST_ARCHIVE="$archive" DIST_AGAIN="$again" DIST_PACKAGE="$package" DIST_RPM="$rpm" DIST_IMAGE="$image")
  suite_start "tests of the archive" install
}

suite_command_install() {
  suite_command=(env -C "$root/cli" "${dist_made[@]}" DIST_ROOT="$store/$DIST_ROOT" prove --timer src/test/sh/archive.t)
}

# A JRE and a shell: no JDK, and nothing else that a build has put there.
dist_provide_root() {
  [[ -d $store/$DIST_ROOT ]] || apt_is_here || return
  store_provide "a JRE" '' root "$DIST_ROOT" "$(dpkg --print-architecture)" "${DIST_PACKAGES[@]}"
}
