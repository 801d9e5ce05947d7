# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The JDKs: of this machine, and by --jdks those of the store as well. The same places and order as Jdks in
# tests/harness. Reads `release` files; a JVM is started only for a home that has none.

readonly JDK_OLDEST=17       # the release for which the Java modules are compiled
readonly JDK_AGENT_OLDEST=8  # the oldest that the agent supports
readonly JDK_NEWER=22        # from here on the foreign function interface is final
readonly JDK_BUILD_NEWEST=25 # the newest that the pinned Maven and its plugins are known to run on
readonly JDK_RELEASES=(8 11 17 21 25 26 27) # `all`: these, and the newest beyond them that Debian has

jdk_rows=()   # feature TAB home, of every JDK found
jdk_wanted=   # the argument of --jdks
jdk_oldest=   # feature version that the command needs at least
jdk_refresh=  # set: JDKs in the store do not count
jdk_chosen=() # feature versions, once there is a JDK of each

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
    [[ -z ${seen[$home]:-} ]] || continue
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

# ---- to build with ----

# Prints the newest complete JDK from JDK_OLDEST to JDK_BUILD_NEWEST; if there is none, the oldest newer one.
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

# A runtime without compiler and headers cannot build.
jdk_is_complete() { # home
  [[ -x $1/bin/javac && -r $1/include/jni.h && -r $1/include/jvmti.h && -r $1/include/linux/jni_md.h ]]
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

# ---- --jdks: to run on ----

jdk_want() { # oldest feature version that the command runs on, list or `all`
  local feature
  [[ $2 == all || $2 =~ ^([0-9]+|newest)(,([0-9]+|newest))*$ ]] ||
    usage_refuse "--jdks takes feature versions, as in --jdks=17,25, newest, or all; it got '$2'."
  [[ $2 == all ]] || for feature in ${2//,/ }; do
    [[ $feature == newest ]] || ((feature >= $1)) || usage_refuse "this command needs JDK $1 or newer; --jdks asks for $feature."
  done
  jdk_oldest=$1 jdk_wanted=$2
}

# Fetches the missing JDKs, and puts the homes into THREADCLOCK_JDKS for the Java programs.
jdk_provide() {
  local missing names feature homes all=''
  store_open
  missing=$(jdk_missing)
  if [[ -n $missing ]]; then
    names=${missing% } names=${names// /, } names=${names/newest/the newest}
    ! apt_is_here || toolchain_require patchelf
    # shellcheck disable=SC2086
    store_provide "JDK $names" 'Or install such JDKs, and name their homes in THREADCLOCK_JDKS.' jdks $missing
    jdk_refresh=
  fi
  jdk_chosen=()
  for feature in $(jdk_features); do
    homes=$(jdk_homes_of "$feature")
    all+=:${homes:-$store/jdk-$feature/home}
    jdk_chosen+=("$feature")
  done
  export THREADCLOCK_JDKS=${all#:}
}

jdk_features() { # feature versions that are wanted, and `newest` where only Debian knows which that is
  local feature link
  if [[ $jdk_wanted != all ]]; then
    tr ',' '\n' <<<"$jdk_wanted" | grep -v newest | sort -nu || true
  else
    for feature in "${JDK_RELEASES[@]}"; do
      ((feature < jdk_oldest)) || printf '%s\n' "$feature"
    done
  fi
  [[ $jdk_wanted =~ all|newest ]] || return 0
  # The newest when Debian was last asked.
  if [[ -z $jdk_refresh ]] && link=$(readlink -- "$store/newest"); then
    printf '%s\n' "${link#jdk-}"
  else
    printf 'newest\n'
  fi
}

jdk_missing() {
  local feature
  for feature in $(jdk_features); do
    [[ -n $(jdk_homes_of "$feature") ]] || jdk_is_stored "$feature" || printf '%s ' "$feature"
  done
}

# Starts the JDK, because its files may exist and be broken.
jdk_is_stored() { # feature version
  [[ -z $jdk_refresh ]] && "$store/jdk-$1/home/bin/java" -version >/dev/null 2>&1
}
