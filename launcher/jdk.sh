# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The JDKs of this machine. The same places and order as Jdks in threadclock-harness.
# Reads `release` files; a JVM is started only for a home that has none.

readonly JDK_OLDEST=17       # what the Java modules are compiled for
readonly JDK_NEWER=22        # from here on the foreign function interface is final
readonly JDK_BUILD_NEWEST=25 # the newest that the pinned Maven and its plugins are known to run on

jdk_rows=() # feature TAB home, of every JDK found

jdk_homes() {
  local home
  if [[ -n ${THREADCLOCK_JDKS:-} ]]; then
    tr ':' '\n' <<<"$THREADCLOCK_JDKS"
    return
  fi
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/*jdk* ~/.sdkman/candidates/java/*; do
    printf '%s\n' "$home"
  done
}

jdk_feature() { # home
  local line printed
  if [[ -r $1/release ]]; then
    while IFS= read -r line; do
      [[ $line =~ ^JAVA_VERSION=\"(1\.)?([0-9]+) ]] && printf '%s' "${BASH_REMATCH[2]}" && return
    done <"$1/release"
  fi
  printed=$("$1/bin/java" -version 2>&1 </dev/null) || return 1
  [[ $printed =~ version\ \"(1\.)?([0-9]+) ]] && printf '%s' "${BASH_REMATCH[2]}"
}

# A runtime without compiler and headers builds nothing.
jdk_is_complete() { # home
  [[ -x $1/bin/javac && -r $1/include/jni.h && -r $1/include/jvmti.h && -r $1/include/linux/jni_md.h ]]
}

jdk_find() {
  local home feature
  local -A seen=()
  jdk_rows=()
  while IFS= read -r home; do
    [[ -n $home ]] || continue
    if [[ ! -x $home/bin/java ]] || ! feature=$(jdk_feature "$home"); then
      [[ -z ${THREADCLOCK_JDKS:-} ]] ||
        fail "THREADCLOCK_JDKS names $home: there is no working bin/java in it. Give home directories of JDKs, separated by colons, or unset it."
      continue
    fi
    home=$(readlink -f -- "$home")
    [[ -n ${seen[$home]:-} ]] && continue
    seen[$home]=1
    jdk_rows+=("$feature"$'\t'"$home")
  done < <(jdk_homes)
}

jdk_homes_of() { # feature version: homes, separated by colons
  local row homes=''
  for row in "${jdk_rows[@]}"; do
    [[ $row != "$1"$'\t'* ]] || homes+=:${row#*$'\t'}
  done
  printf '%s' "${homes#:}"
}

# The one to build with: the newest complete one from JDK_OLDEST to JDK_BUILD_NEWEST; if there is
# none, the oldest beyond.
jdk_build_home() {
  local row feature home best='' best_home=''
  for row in "${jdk_rows[@]}"; do
    IFS=$'\t' read -r feature home <<<"$row"
    if ((feature >= JDK_OLDEST)) && jdk_is_complete "$home" && jdk_is_better "$feature" "$best"; then
      best=$feature best_home=$home
    fi
  done
  [[ -n $best_home ]] && printf '%s' "$best_home"
}

jdk_is_better() { # feature, best so far or nothing
  [[ -n $2 ]] || return 0
  if (($2 > JDK_BUILD_NEWEST)); then (($1 < $2)); else (($1 > $2 && $1 <= JDK_BUILD_NEWEST)); fi
}

jdk_has_newer() {
  local row
  for row in "${jdk_rows[@]}"; do
    ((${row%%$'\t'*} >= JDK_NEWER)) && return 0
  done
  return 1
}
