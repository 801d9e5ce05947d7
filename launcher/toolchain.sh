# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What the build needs of the machine, by name: compiler, make, prove, pkgconfig,
# jdk, maven, patchelf, browser, qemu, musl, cpio, pip, qemuuser, qemuarm; gcov, fuzzer, tidy (analysis.sh); and what is welcome
# beside the native tests.

readonly TOOLCHAIN_WITHOUT_NEWER="the rows for JDK $JDK_NEWER and newer are left out of demo, test and bench; all else runs"

toolchain_refuse_platform() {
  local platform
  platform="$(uname -s) $(uname -m)"
  case $platform in
    "Linux x86_64" | "Linux aarch64") ;;
    *) fail "threadclock reads Linux thread clocks on x86_64 and aarch64; this is $platform. Use such a machine, real or virtual." ;;
  esac
}

# Class paths are separated by ':', and the JVM cuts -agentpath at the first '='.
toolchain_refuse_path() {
  case $root in
    *[:=]*) fail "the path of this checkout, $root, contains ':' or '=', which a Java class path and -agentpath cannot express. Move the checkout." ;;
  esac
}

# A name and not a path: make and the shell split what they are given at spaces.
toolchain_compiler() {
  local name
  [[ -z ${CC:-} ]] || { printf '%s' "$CC" && return; }
  for name in gcc clang; do
    if command -v "$name" >/dev/null; then printf '%s' "$name" && return; fi
  done
  return 1
}

toolchain_has_compiler() {
  local compiler
  compiler=$(toolchain_compiler) || return 1
  # Split on purpose: CC may hold options. Compiles, because a compiler without libc's headers is no use.
  # shellcheck disable=SC2086
  printf '#include <stdlib.h>\n#include <linux/perf_event.h>\nint unused;\n' |
    $compiler -x c -fsyntax-only - >/dev/null 2>&1
}

toolchain_has_make() { command -v make >/dev/null; }
toolchain_has_prove() { command -v prove >/dev/null; }
toolchain_has_pkgconfig() { command -v pkg-config >/dev/null; }
toolchain_has_jdk() { jdk_build_home >/dev/null; }
toolchain_has_browser() { command -v chromium >/dev/null && command -v chromedriver >/dev/null; }
toolchain_has_pip() { python3 -m pip --version >/dev/null 2>&1; }
toolchain_has_qemuuser() { toolchain_qemu_user >/dev/null; }
toolchain_qemu_user() { command -v qemu-aarch64 || command -v qemu-aarch64-static; }
toolchain_has_patchelf() { command -v patchelf >/dev/null; }
toolchain_has_qemu() { command -v qemu-system-x86_64 >/dev/null; }
toolchain_has_qemuarm() { command -v qemu-system-aarch64 >/dev/null; }
toolchain_has_musl() { command -v musl-gcc >/dev/null; }
toolchain_has_cpio() { command -v cpio >/dev/null; }
toolchain_has_maven() { build_pinned_maven_is_here || command -v mvn >/dev/null; }

toolchain_packages() { # need
  case $1 in
    compiler) printf 'gcc libc6-dev' ;;
    make) printf 'make' ;;
    prove) printf 'perl' ;;
    patchelf) printf 'patchelf' ;;
    browser) printf 'chromium chromium-driver' ;;
    terminal) printf 'tmux' ;;
    pip) printf 'python3-pip' ;;
    qemuuser) printf 'qemu-user' ;;
    pkgconfig) printf 'pkg-config' ;;
    gcov) printf 'gcc libc6-dev' ;;
    fuzzer) printf 'clang libclang-rt-dev' ;;
    tidy) printf 'clang-tidy' ;;
    qemu) printf 'qemu-system-x86' ;;
    qemuarm) printf 'qemu-system-arm' ;;
    musl) printf 'musl-tools' ;;
    cpio) printf 'cpio' ;;
    jdk) apt_jdk_package "$JDK_OLDEST" || printf 'openjdk-%d-jdk-headless' "$JDK_OLDEST" ;;
    maven) printf 'maven' ;;
  esac
}

toolchain_missing() { # needs…; prints each once
  local need missing=' '
  for need in "$@"; do
    [[ $missing == *" $need "* ]] || "toolchain_has_$need" || missing+="$need "
  done
  printf '%s' "${missing# }"
}

toolchain_require() { # needs…
  local missing
  toolchain_refuse_platform
  toolchain_refuse_path
  jdk_find
  missing=$(toolchain_missing "$@")
  if [[ -n $missing ]]; then
    toolchain_refuse_setting "$missing"
    toolchain_install "$missing"
    jdk_find
    missing=$(toolchain_missing "$@")
    [[ -z $missing ]] ||
      fail "installed what apt-get has for: $missing- and still there is none that works. See $state/apt.log."
  fi
  [[ " $* " != *" jdk "* ]] || toolchain_seek_newer_jdk
}

# What was asked for by name is not replaced by something else.
toolchain_refuse_setting() { # missing needs
  [[ " $1" != *" compiler "* || -z ${CC:-} ]] ||
    fail "CC=$CC does not compile a C file that includes stdlib.h and linux/perf_event.h. Correct it, or unset it."
  [[ " $1" != *" jdk "* || -z ${THREADCLOCK_JDKS:-} ]] ||
    fail "THREADCLOCK_JDKS=$THREADCLOCK_JDKS has no JDK $JDK_OLDEST or newer with bin/javac and include/jvmti.h. Add one, or unset it."
}

toolchain_package_list() { # needs
  local need package packages=' '
  for need in $1; do
    for package in $(toolchain_packages "$need"); do
      [[ $packages == *" $package "* ]] || packages+="$package "
    done
  done
  packages=${packages# }
  printf '%s' "${packages% }"
}

toolchain_install() { # missing needs
  local packages
  apt_is_here ||
    fail "missing here: $1- and there is no apt-get to install it with. Install it with this system's package manager (prove is in perl; the JDK: $JDK_OLDEST or newer with headers)."
  apt_become_root ||
    fail "missing here: $(toolchain_package_list "$1"), and this is neither root nor a user of sudo. Run: apt-get install $(toolchain_package_list "$1")"
  apt_update
  packages=$(toolchain_package_list "$1")
  # shellcheck disable=SC2086
  apt_install $packages ||
    fail "apt-get install $packages failed: $apt_failure. Check the network and the sources of apt, or install these packages by other means; all output: $state/apt.log"
}

# Welcome, not required. Where apt offers none it is asked again only when its lists have changed,
# because the asking takes a second.
toolchain_seek_newer_jdk() {
  [[ -z ${THREADCLOCK_JDKS:-}$store_wanted ]] && ! jdk_has_newer || return 0
  local package stamp=$state/no-newer-jdk
  if [[ -f $stamp && $(<"$stamp") == "$(apt_lists_time)" ]]; then
    toolchain_tell_no_newer_jdk "apt offers none"
    return
  fi
  apt_knows_packages || ! apt_is_here || ! apt_become_root || apt_update
  if ! package=$(apt_jdk_package "$JDK_NEWER"); then
    apt_lists_time >"$stamp"
    toolchain_tell_no_newer_jdk "apt offers none"
  elif ! apt_become_root; then
    toolchain_tell_no_newer_jdk "installing $package takes root or sudo"
  elif apt_update && apt_install "$package"; then
    jdk_find
  else
    toolchain_tell_no_newer_jdk "apt-get install $package failed: $apt_failure"
  fi
}

toolchain_tell_no_newer_jdk() { # reason
  say "no JDK $JDK_NEWER or newer is here, and $1: $TOOLCHAIN_WITHOUT_NEWER."
}

# Welcome, not required. Debian has it as packages; where apt has none of that name, as on Ubuntu, where
# Chromium is a snap, nothing is installed.
toolchain_seek_browser() {
  ! toolchain_has_browser || return 0
  local packages
  packages=$(toolchain_packages browser)
  toolchain_learn_packages
  if ! apt_offers "${packages##* }"; then
    toolchain_tell_no_browser "apt offers none"
  else
    # shellcheck disable=SC2086
    toolchain_install_welcome toolchain_tell_no_browser $packages
  fi
}

toolchain_tell_no_browser() { # reason
  say "no chromium with chromedriver is here, and $1: the tests of bench's report in a browser are skipped; all else runs."
}

# Welcome, not required: what reads the manual and the completion of the archive.
toolchain_seek_readers() {
  local package missing=() offered=()
  command -v zsh >/dev/null || missing+=(zsh)
  command -v groff >/dev/null || missing+=(groff-base)
  ((${#missing[@]})) || return 0
  toolchain_learn_packages
  for package in "${missing[@]}"; do
    ! apt_offers "$package" || offered+=("$package")
  done
  if ((${#offered[@]} == 0)); then
    toolchain_tell_no_readers "apt offers none"
  else
    toolchain_install_welcome toolchain_tell_no_readers "${offered[@]}"
  fi
}

toolchain_tell_no_readers() { # reason
  say "not both of zsh and groff are here, and $1: the tests by them are skipped; all else runs."
}

# Welcome, not required: what the tests of screens type into.
toolchain_seek_terminal() {
  ! command -v tmux >/dev/null || return 0
  toolchain_learn_packages
  if ! apt_offers tmux; then
    toolchain_tell_no_terminal "apt offers none"
  else
    toolchain_install_welcome toolchain_tell_no_terminal tmux
  fi
}

toolchain_tell_no_terminal() { # reason
  say "no tmux is here, and $1: the tests of top's screen are skipped; all else runs."
}

# Welcome, not required: what the native tests put beside the library. Each is looked for by itself.
toolchain_seek_disturbers() {
  local package missing offered=()
  missing=$(toolchain_missing_disturbers)
  [[ -n $missing ]] || return 0
  toolchain_learn_packages
  for package in $missing; do
    ! apt_offers "$package" || offered+=("$package")
  done
  if ((${#offered[@]} == 0)); then
    toolchain_tell_no_disturbers "apt offers none"
  else
    toolchain_install_welcome toolchain_tell_no_disturbers "${offered[@]}"
  fi
}

# Packages. Valgrind wants libc's symbols; tcmalloc's package has changed its name.
toolchain_missing_disturbers() {
  command -v gdb >/dev/null || printf 'gdb '
  command -v valgrind >/dev/null || printf 'valgrind libc6-dbg '
  toolchain_has_library libjemalloc.so.2 || printf 'libjemalloc2 '
  toolchain_has_library libtcmalloc_minimal.so.4 || printf 'libtcmalloc-minimal4 libtcmalloc-minimal4t64 '
}

toolchain_has_library() { # file name
  compgen -G "/usr/lib/*/$1" >/dev/null || compgen -G "/usr/lib*/$1" >/dev/null
}

toolchain_tell_no_disturbers() { # reason
  say "not all of gdb, valgrind, tcmalloc and jemalloc are here, and $1: the native tests beside those are skipped; all else runs."
}

toolchain_learn_packages() {
  apt_knows_packages || ! apt_is_here || ! apt_become_root || apt_update
}

toolchain_install_welcome() { # command that tells why not, packages…
  local tell=$1
  shift
  if ! apt_become_root; then
    "$tell" "installing $* takes root or sudo"
  else
    apt_update
    apt_install "$@" || "$tell" "apt-get install $* failed: $apt_failure"
  fi
}
