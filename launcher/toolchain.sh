# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The programs that the commands need, and those that are welcome beside the tests. A need has the name of a program or of a
# library's file, or is one of: compiler, jdk, maven, pip, python-headers, fuzzer, qemu-user.

# Class paths are separated by ':', and the JVM cuts -agentpath at the first '='.
toolchain_refuse_place() {
  local platform
  platform="$(uname -s) $(uname -m)"
  [[ $platform =~ ^Linux\ (x86_64|aarch64)$ ]] ||
    fail "threadclock reads Linux thread clocks on x86_64 and aarch64; this is $platform. Use such a machine, real or virtual."
  [[ $root != *[:=]* ]] ||
    fail "the path of this checkout, $root, contains ':' or '=', which a Java class path and -agentpath cannot express. Move the checkout."
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

# Split on purpose: CC may hold options. Compiles, because a compiler without libc's headers is no use.
toolchain_compiles() {
  local compiler
  compiler=$(toolchain_compiler) || return 1
  # shellcheck disable=SC2086
  printf '#include <stdlib.h>\n#include <linux/perf_event.h>\nint unused;\n' |
    $compiler -x c -fsyntax-only - >/dev/null 2>&1
}

# clang with libFuzzer and the sanitizers: their runtime is a package of its own.
toolchain_fuzzes() {
  printf 'int LLVMFuzzerTestOneInput(void) { return 0; }\n' |
    clang -fsanitize=fuzzer,address,undefined -x c -o /dev/null - >/dev/null 2>&1
}

toolchain_qemu_user() { command -v qemu-aarch64 || command -v qemu-aarch64-static; }

toolchain_has() { # need
  case $1 in
    compiler) toolchain_compiles ;;
    jdk) jdk_build_home ;;
    maven) "$root/mvnw" --is-cached || command -v mvn ;;
    pip) python3 -m pip --version 2>&1 ;;
    python-headers) [[ -e $(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null)/Python.h ]] ;;
    fuzzer) toolchain_fuzzes ;;
    qemu-user) toolchain_qemu_user ;;
    *.so.*) compgen -G "/usr/lib/*/$1" || compgen -G "/usr/lib*/$1" ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

# gcc's gcov, whatever CC is: it reads what the same gcc has written. Valgrind wants libc's symbols; tcmalloc's package
# has changed its name.
toolchain_packages() { # need
  case $1 in
    compiler | gcc | gcov) printf 'gcc libc6-dev' ;;
    prove) printf 'perl' ;;
    jdk) apt_jdk_package "$JDK_OLDEST" || printf 'openjdk-%d-jdk-headless' "$JDK_OLDEST" ;;
    pip) printf 'python3-pip' ;;
    python-headers) printf 'python3-dev' ;;
    fuzzer) printf 'clang libclang-rt-dev' ;;
    musl-gcc) printf 'musl-tools' ;;
    qemu-system-x86_64) printf 'qemu-system-x86' ;;
    qemu-system-aarch64) printf 'qemu-system-arm' ;;
    chromedriver) printf 'chromium-driver' ;;
    groff) printf 'groff-base' ;;
    rpmbuild) printf 'rpm' ;;
    abidiff) printf 'abigail-tools' ;;
    gpg) printf 'gpg gpg-agent' ;;
    valgrind) printf 'valgrind libc6-dbg' ;;
    libjemalloc.so.2) printf 'libjemalloc2' ;;
    libtcmalloc_minimal.so.4) printf 'libtcmalloc-minimal4 libtcmalloc-minimal4t64' ;;
    *) printf '%s' "$1" ;;
  esac
}

toolchain_missing() { # needs…; prints each once
  local need missing=' '
  for need in "$@"; do
    [[ $missing == *" $need "* ]] || toolchain_has "$need" || missing+="$need "
  done
  printf '%s' "${missing# }"
}

toolchain_package_list() { # needs; prints each package once
  local need
  for need in $1; do
    toolchain_packages "$need" && echo
  done | tr ' ' '\n' | awk '!seen[$0]++' | paste -sd ' '
}

# ---- required ----

toolchain_require() { # needs…
  local missing
  toolchain_refuse_place
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

# A program that was asked for by name is not replaced by another.
toolchain_refuse_setting() { # missing needs
  [[ " $1" != *" compiler "* || -z ${CC:-} ]] ||
    fail "CC=$CC does not compile a C file that includes stdlib.h and linux/perf_event.h. Correct it, or unset it."
  [[ " $1" != *" jdk "* || -z ${THREADCLOCK_JDKS:-} ]] ||
    fail "THREADCLOCK_JDKS=$THREADCLOCK_JDKS has no JDK $JDK_OLDEST or newer with bin/javac and include/jvmti.h. Add one, or unset it."
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

# ---- welcome ----

# Installs what apt offers of it: on Ubuntu, where Chromium is a snap, there are no packages of that name.
toolchain_seek() { # what is left out without it, needs…
  local without=$1 missing package offered=()
  shift
  missing=$(toolchain_missing "$@")
  [[ -n $missing ]] || return 0
  toolchain_learn_packages
  for package in $(toolchain_package_list "$missing"); do
    ! apt_offers "$package" || offered+=("$package")
  done
  missing=${missing% } missing=${missing// /, }
  if ((${#offered[@]} == 0)); then
    toolchain_do_without "$missing" "apt offers none" "$without"
  elif ! apt_become_root; then
    toolchain_do_without "$missing" "installing ${offered[*]} takes root or sudo" "$without"
  else
    apt_update
    apt_install "${offered[@]}" ||
      toolchain_do_without "$missing" "apt-get install ${offered[*]} failed: $apt_failure" "$without"
  fi
}

toolchain_do_without() { # what, reason, what is left out
  say "no $1 is here, and $2: $3; all else runs."
}

toolchain_learn_packages() {
  compgen -G "$APT_LISTS/*_Packages*" >/dev/null || ! apt_is_here || ! apt_become_root || apt_update
}

# Where apt offers none it is asked again only when its lists have changed, because the asking takes a second.
toolchain_seek_newer_jdk() {
  [[ -z ${THREADCLOCK_JDKS:-}$jdk_wanted ]] && ! jdk_has_newer || return 0
  local package='' reason='apt offers none' stamp=$state/no-newer-jdk
  if [[ ! -f $stamp || $(<"$stamp") != "$(apt_lists_time)" ]]; then
    toolchain_learn_packages
    if ! package=$(apt_jdk_package "$JDK_NEWER"); then
      apt_lists_time >"$stamp"
    elif ! apt_become_root; then
      reason="installing $package takes root or sudo"
    elif apt_update && apt_install "$package"; then
      jdk_find
      return
    else
      reason="apt-get install $package failed: $apt_failure"
    fi
  fi
  toolchain_do_without "JDK $JDK_NEWER or newer" "$reason" \
    "the rows for JDK $JDK_NEWER and newer are left out of demo, test and bench"
}
