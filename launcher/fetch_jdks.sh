#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fetch_jdks.sh STORE FEATURE…: puts JDKs of Debian's unstable archive, which has them all, into STORE/jdk-FEATURE.
# FEATURE is a feature version; the last may be `newest`: the newest that the archive has, to which STORE/newest leads.
#
# They need that archive's C library. It comes along, and the few programs that a JVM is started by are told in their
# own headers where it lies: so this takes no root, no chroot and no mount, and such a JVM sees the files and processes
# of this machine as any other does. libjvm.so and all other libraries stay as Debian has built them.
set -euo pipefail

readonly FETCH_SUITE=sid
readonly FETCH_LIBRARIES=(libc6 libgcc-s1 libstdc++6 zlib1g) # beside a JVM without windows
# shellcheck source=launcher/archive.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/archive.sh"

store=$1
shift
work=     # apt's own folders and the packages
folders=() # of JDKs that are not yet in the store

fetch_fail() { # what was tried, what answered
  printf 'fetch_jdks: %s\n' "$*" >&2
  exit 1
}

# Nothing half-made stays. A folder that a JDK's link points to is complete.
fetch_clean() {
  local folder
  rm -rf -- "$work"
  for folder in "$store"/jdk-*.??????; do
    [[ -d $folder && $(readlink -f -- "${folder%.??????}") != "$folder" ]] && rm -rf -- "$folder"
  done
  return 0
}

fetch_offered() { # prints feature versions, oldest first
  archive_apt_cache pkgnames openjdk- | sed -nE 's/^openjdk-([0-9]+)-jre-headless$/\1/p' | sort -n
}

fetch_resolve() { # feature or newest: prints the feature version
  local offered
  offered=$(fetch_offered)
  [[ $1 != newest ]] || set -- "$(tail -n 1 <<<"$offered")"
  grep -x -- "$1" <<<"$offered" ||
    fetch_fail "Debian $FETCH_SUITE has no JDK $1; it has ${offered//$'\n'/, }"
}

fetch_unpack() { # folder, feature
  local package
  for package in "$work"/openjdk-"$2"-*.deb "${FETCH_LIBRARIES[@]/#/"$work/"}"; do
    [[ $package == *.deb ]] || package=$(compgen -G "${package}_*.deb")
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$1" --exclude=./usr/share
  done
}

# Debian keeps the settings in /etc, whose content of this machine is another.
fetch_bring_in_settings() { # folder
  local link target
  find "$1/usr/lib/jvm" -type l -lname '/etc/*' | while IFS= read -r link; do
    target=$1$(readlink -- "$link")
    [[ ! -e $target ]] || cp -L --remove-destination -- "$target" "$link"
  done
}

# In runs of their own: patchelf 0.14 mixes up the strings of several changes made in one. What the JVM's libraries
# need is needed by the programs already, so that they find it loaded.
fetch_bind_to_libraries() { # folder
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

# As Debian's packages do when they are installed; newer ones bring it along.
fetch_share_classes() { # home
  [[ -n $(find "$1" -name classes.jsa) ]] || "$1/bin/java" -Xshare:dump || true
}

fetch_make() { # folder, feature
  fetch_unpack "$1" "$2"
  fetch_bring_in_settings "$1"
  fetch_bind_to_libraries "$1"
  local homes=("$1"/usr/lib/jvm/java-"$2"-openjdk-*)
  ln -s -- "${homes[0]#"$1"/}" "$1/home"
  fetch_share_classes "$1/home"
  "$1/home/bin/java" -version
}

fetch_publish() { # folder
  local link=${1%.??????} former
  former=$(readlink -f -- "$link")
  ln -s -- "$(basename -- "$1")" "$1/link"
  mv -T -- "$1/link" "$link"
  [[ $former == "$link" ]] || rm -rf -- "$former"
}

fetch_all() { # features…
  local feature folder job jobs=() packages=("${@/#/openjdk-}")
  printf 'downloading JDK %s\n' "$*"
  (cd -- "$work" && archive_apt_get download "${packages[@]/%/-jre-headless}" "${FETCH_LIBRARIES[@]}") ||
    fetch_fail "apt-get download ended with status $?"
  printf 'unpacking JDK %s\n' "$*"
  for feature in "$@"; do
    folder=$(mktemp -d -- "$store/jdk-$feature.XXXXXX")
    chmod 755 "$folder"
    folders+=("$folder")
    (fetch_make "$folder" "$feature") &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do
    wait "$job" || fetch_fail "unpacking a JDK, or its first start, ended with status $?"
  done
}

main() { # features…
  local feature features=() folder
  mkdir -p -- "$store"
  fetch_clean
  trap fetch_clean EXIT
  trap 'exit 143' INT TERM HUP
  work=$(mktemp -d -- "$store/apt.XXXXXX")
  archive_open "$work" "$FETCH_SUITE" || fetch_fail "$archive_refusal"
  for feature in "$@"; do
    features+=("$(fetch_resolve "$feature")")
  done
  fetch_all "${features[@]}"
  for folder in "${folders[@]}"; do
    fetch_publish "$folder"
  done
  # It is asked for last.
  [[ $feature != newest ]] || ln -sfn -- "jdk-${features[-1]}" "$store/newest"
}

main "$@"
