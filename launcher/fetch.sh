#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Unpacks into STORE what this machine does not have, without root. Nothing half-made stays there.
#   fetch.sh STORE jdks FEATURE…             jdk-FEATURE/home; the last may be `newest`: STORE/newest leads there
#   fetch.sh STORE kernels FOLDER ARCH KERNEL…
#                                            FOLDER/KERNEL/vmlinuz-RELEASE; KERNEL as 6.12: the newest that Debian has
#                                            of these, or `newest`, with Debian's newest libc beside it; with PREEMPT_RT:
#                                            6.12-rt, newest-rt
#   fetch.sh STORE root NAME ARCH PACKAGE…   files of packages where they belong, in NAME; none is run or configured
#   fetch.sh STORE package NAME              the same of one package, as this machine's apt offers it
#   fetch.sh STORE pip NAME WHEEL [SHA256…]  what pip puts into a folder for PYTHONPATH; WHEEL as mypy==2.4.1, or several,
#                                            with spaces. With checksums, of each machine's wheel, nothing else is taken
set -euo pipefail

readonly FETCH_LIBRARIES=(libc6 libgcc-s1 libstdc++6 zlib1g) # beside a JVM without windows
readonly FETCH_KEYRING=/usr/share/keyrings/debian-archive-keyring # .gpg, or .pgp in newer releases

store=$1 kind=$2
shift 2
work=      # apt's own folders, the packages, and what is not yet in the store
folders=() # of JDKs that are not yet linked to

fetch_fail() { # what was tried, what answered
  printf 'fetch: %s\n' "$*" >&2
  exit 1
}

# A JDK's folder that a link points to is complete.
fetch_clean() {
  local folder
  rm -rf -- "$store"/fetch.??????
  for folder in "$store"/jdk-*.??????; do
    [[ -d $folder && $(readlink -f -- "${folder%.??????}") != "$folder" ]] && rm -rf -- "$folder"
  done
  return 0
}

# ---- Debian's archive, of any suite, by apt's own machinery and signatures, in a folder instead of the system's ----

# This machine's apt settings for networks, mirrors and proxies apply here, too, and whether lists may have expired, as
# those of a mirror that stands still; its packages and hooks do not.
archive_configure_apt() { # architecture, or nothing: this machine's
  mkdir -p "$work/none" "$work/state/lists/partial" "$work/cache/archives/partial"
  : >"$work/status"
  {
    apt-config dump | grep '^Acquire::' | grep -vE '^Acquire::(IndexTargets|Languages)'
    printf 'Dir::Etc::%s "/dev/null";\n' main preferences
    printf 'Dir::Etc::%s "'"$work/none"'";\n' parts sourceparts preferencesparts
    printf '%s;\n' "Dir::Etc::sourcelist \"$work/sources.list\"" "Dir::State \"$work/state\"" \
      "Dir::State::status \"$work/status\"" "Dir::Cache \"$work/cache\"" 'APT::Sandbox::User "root"' \
      'APT::Update::Error-Mode "any"' 'Acquire::Languages "none"' 'Acquire::Retries "2"'
    printf 'Acquire::Allow%sRepositories "false";\n' Insecure Weak DowngradeToInsecure
    [[ -z $1 ]] || printf 'APT::Architecture%s "%s";\n' '' "$1" s "$1"
  } >"$work/apt.conf"
}

# Prints the mirrors that apt's lists know as Debian's. Without lists, as in a container image, apt does not know its
# sources; then all of them count, except those for security.
archive_mirrors() {
  local known
  if [[ -n ${THREADCLOCK_MIRROR:-} ]]; then
    printf '%s\n' "$THREADCLOCK_MIRROR"
    return
  fi
  # shellcheck disable=SC2016
  known=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian|Debian|//p')
  # shellcheck disable=SC2016
  [[ -n $known ]] ||
    known=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security)
  awk '/^https?:/ && !seen[$0]++' <<<"$known"
}

# Fetches the lists of all these suites, from the first mirror that has them. Other signers that this machine's apt
# trusts do not count for Debian.
archive_open() { # suites, architecture if it is not this machine's
  local mirrors mirror suite keyring
  for keyring in "$FETCH_KEYRING".{gpg,pgp}; do
    [[ ! -r $keyring ]] || break
  done
  [[ -r $keyring ]] ||
    fetch_fail "$FETCH_KEYRING.gpg cannot be read, which tells Debian's packages from others; the package debian-archive-keyring has it"
  mapfile -t mirrors < <(archive_mirrors)
  ((${#mirrors[@]})) || fetch_fail 'the sources of apt name no archive of Debian'
  archive_configure_apt "${2:-}"
  for mirror in "${mirrors[@]}"; do
    printf 'reading what %s has\n' "$mirror"
    for suite in $1; do
      printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$suite"
    done >"$work/sources.list"
    ! archive_apt_get update || return 0
  done
  fetch_fail "none of ${mirrors[*]} gave a list of Debian ${1// /, }'s packages${2:+ for $2}"
}

archive_names() { # beginning: the packages whose names begin with it
  APT_CONFIG=$work/apt.conf apt-cache pkgnames "$1"
}

archive_apt_get() { # arguments…
  APT_CONFIG=$work/apt.conf apt-get -q -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}

archive_download() { # packages…
  printf 'downloading %s\n' "$*"
  (cd -- "$work" && archive_apt_get download "$@") || fetch_fail "apt-get download ended with status $?"
}

fetch_unpack() { # package's file, folder, further options of tar…
  dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" "${@:3}"
}

fetch_publish() { # folder, name in the store
  chmod 755 "$1"
  mkdir -p -- "$(dirname -- "$store/$2")"
  rm -rf -- "${store:?}/$2"
  mv -T -- "$1" "$store/$2"
}

# ---- JDKs ----

# Debian's unstable archive has all of them. They need its C library, which is fetched, too. The headers of the few
# programs that start a JVM are changed to name its place. Therefore such a JVM sees the files and processes of this
# machine as any other JVM does. libjvm.so and all other libraries stay as Debian has built them.
fetch_jdks() { # features…
  local feature features=() folder job jobs=() packages
  archive_open sid
  for feature in "$@"; do
    features+=("$(jdk_resolve "$feature")")
  done
  packages=("${features[@]/#/openjdk-}")
  archive_download "${packages[@]/%/-jre-headless}" "${FETCH_LIBRARIES[@]}"
  for feature in "${features[@]}"; do
    folder=$(mktemp -d -- "$store/jdk-$feature.XXXXXX")
    folders+=("$folder")
    (jdk_make "$folder" "$feature") &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do
    wait "$job" || fetch_fail "unpacking a JDK, or its first start, ended with status $?"
  done
  for folder in "${folders[@]}"; do
    jdk_publish "$folder"
  done
  # It is asked for last.
  [[ ${*: -1} != newest ]] || ln -sfn -- "jdk-${features[-1]}" "$store/newest"
}

jdk_resolve() { # feature or newest: prints the feature version
  local offered
  offered=$(archive_names openjdk- | sed -nE 's/^openjdk-([0-9]+)-jre-headless$/\1/p' | sort -n)
  [[ $1 != newest ]] || set -- "$(tail -n 1 <<<"$offered")"
  grep -x -- "$1" <<<"$offered" || fetch_fail "Debian sid has no JDK $1; it has ${offered//$'\n'/, }"
}

# Makes it in its final place, because the programs contain the path.
jdk_make() { # folder, feature
  local package homes
  chmod 755 "$1"
  for package in "$work"/openjdk-"$2"-*.deb "${FETCH_LIBRARIES[@]/#/"$work/"}"; do
    [[ $package == *.deb ]] || package=$(compgen -G "${package}_*.deb")
    fetch_unpack "$package" "$1" --exclude=./usr/share
  done
  jdk_bring_in_settings "$1"
  jdk_bind_to_libraries "$1"
  homes=("$1"/usr/lib/jvm/java-"$2"-openjdk-*)
  ln -s -- "${homes[0]#"$1"/}" "$1/home"
  # Debian's packages do this when they are installed; newer ones contain the file.
  [[ -n $(find "$1/home/" -name classes.jsa) ]] || "$1/home/bin/java" -Xshare:dump || true
  "$1/home/bin/java" -version
}

# Debian keeps the settings in /etc, where this machine has its own.
jdk_bring_in_settings() { # folder
  local link target
  find "$1/usr/lib/jvm" -type l -lname '/etc/*' | while IFS= read -r link; do
    target=$1$(readlink -- "$link")
    [[ ! -e $target ]] || cp -L --remove-destination -- "$target" "$link"
  done
}

# Runs patchelf several times, because 0.14 mixes up the strings of several changes in one run. The programs already
# need the libraries that the JVM's libraries need, which are therefore loaded.
jdk_bind_to_libraries() { # folder
  local loader program runpath
  loader=$(find "$1/usr/lib" -name 'ld-linux-*.so.*' -print -quit)
  find "$1/usr/lib/jvm" -type f \( -path '*/bin/java' -o -name jspawnhelper -o -name jexec \) |
    while IFS= read -r program; do
      runpath=$(patchelf --print-rpath "$program")
      patchelf --add-needed libstdc++.so.6 --add-needed libgcc_s.so.1 --add-needed libm.so.6 --add-needed libz.so.1 "$program"
      patchelf --force-rpath --set-rpath "${runpath:+$runpath:}$(dirname -- "$loader")" "$program"
      patchelf --set-interpreter "$loader" "$program"
    done
}

jdk_publish() { # folder
  local link=${1%.??????} former
  former=$(readlink -f -- "$link")
  ln -s -- "$(basename -- "$1")" "$1/link"
  mv -T -- "$1/link" "$link"
  [[ $former == "$link" ]] || rm -rf -- "$former"
}

# ---- kernels ----

fetch_kernels() { # folder in the store, architecture, kernels…
  local folder=$1 architecture=$2 kernel release package
  shift 2
  archive_open 'bookworm trixie sid' "$architecture"
  for kernel in "$@"; do
    package=$(kernel_package "$kernel")
    read -r release package <<<"$package"
    archive_download "$package"
    mkdir -- "$work/tree" "$work/$kernel"
    fetch_unpack "$work/$package"_*.deb "$work/tree" --wildcards '*/vmlinuz*' || fetch_fail "unpacking $package gave no vmlinuz"
    mv -- "$(find "$work/tree" -type f -name 'vmlinuz*' -print -quit)" "$work/$kernel/vmlinuz-$release"
    rm -rf -- "$work/tree"
    [[ $kernel != newest ]] || fetch_kernel_libc "$work/$kernel"
  done
  for kernel in "$@"; do
    fetch_publish "$work/$kernel" "$folder/$kernel"
  done
}

# Newer C libraries ask more of newer kernels: the newest kernel is tested with the newest libc.
fetch_kernel_libc() { # folder
  archive_download libc6
  fetch_unpack "$work"/libc6_*.deb "$1" --wildcards --transform='s,.*/,,' './usr/lib/*/libc.so.6' './usr/lib/*/ld-linux-*.so.*'
}

# The cloud kernels are the smallest, and have everything that a virtual machine needs built in. Newer packages have the
# file in linux-binary-…, beside linux-image-….
kernel_package() { # kernel: prints the release and its package
  local flavour=cloud-$architecture series=${1%-rt} offered found
  [[ $1 != *-rt ]] || flavour=rt-$architecture
  offered=$(archive_names linux- | sed -nE "s/^(linux-(image|binary)-([0-9].*-$flavour))\$/\\3 \\1/p" | sort -V)
  found=$offered
  [[ $series == newest ]] || found=$(grep -E "^${series//./\\.}\\." <<<"$offered") ||
    fetch_fail "Debian has no kernel $1; it has $(awk '{print $1}' <<<"$offered" | uniq | paste -sd ' ')"
  awk '$1 != release { release = $1; package = $2 } $2 ~ /-binary-/ { package = $2 } END { print release, package }' <<<"$found"
}

# ---- the rest ----

fetch_root() { # name, architecture, packages…
  local package
  archive_open bookworm "$2"
  archive_download "${@:3}"
  mkdir -- "$work/root"
  for package in "$work"/*.deb; do
    printf 'unpacking %s\n' "$(basename -- "$package")"
    fetch_unpack "$package" "$work/root" --exclude=./usr/share
  done
  fetch_publish "$work/root" "$1"
}

fetch_package() { # name
  # Downloads as this user, because nobody else may write there.
  (cd -- "$work" && apt-get -q -o APT::Sandbox::User="$(id -un)" download "$1")
  dpkg-deb -x "$work/$1"_*.deb "$work/tree"
  fetch_publish "$work/tree" "$1"
}

fetch_pip() { # name, wheel, SHA-256…
  local hashes=("${@:3}")
  printf '%s %s\n' "${2// /$'\n'}" "${hashes[*]/#/--hash=sha256:}" >"$work/wanted"
  python3 -m pip install -q --disable-pip-version-check --only-binary :all: --target "$work/unpacked" -r "$work/wanted"
  chmod -R a+rX "$work/unpacked"
  fetch_publish "$work/unpacked" "$1"
}

mkdir -p -- "$store"
fetch_clean
trap fetch_clean EXIT
trap 'exit 143' INT TERM HUP
work=$(mktemp -d -- "$store/fetch.XXXXXX")
"fetch_$kind" "$@"
