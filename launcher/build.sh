# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds everything that is out of date: the native library with make, the Java modules with Maven.

readonly library=$root/native/build/libthreadclock.so
readonly BUILD_LINES_SHOWN=20 # of a log, when a step has failed

build_lock=
build_targets= # `all`: the jar has the libraries of all platforms, else this machine's
build_bench=   # set: bench is built as well
build_make=() # make with its variables, once the needs are met
build_maven=() # Maven with its variables and arguments, once they are set
build_modules=2 # that Maven builds at a time

build_begin() { # needs…
  build_refuse_unwritable
  build_take_lock
  toolchain_require "$@"
  if [[ " $* " == *" jdk "* ]]; then
    JAVA_HOME=$(jdk_build_home)
    export JAVA_HOME
    # A JVM has no name for a file, such as a checkout in /home/josé, that the charset of its locale lacks.
    [[ $(locale charmap 2>/dev/null) != ANSI_X3.4-1968 ]] || export LC_ALL=C.UTF-8
    build_make=(make --no-print-directory -C "$root/native" CC="$(toolchain_compiler)" JAVA_HOME="$JAVA_HOME")
  fi
}

# This happens after a first start with sudo and a second one without.
build_refuse_unwritable() {
  local folder
  mkdir -p -- "$state" 2>/dev/null ||
    fail "creating $state failed. Make the checkout writable."
  for folder in "$state" "$root/native/build" "$root"/{,*/}*/target; do
    [[ ! -d $folder || -w $folder ]] ||
      fail "$folder belongs to $(stat -c %U -- "$folder") and may not be written. Remove it, or give the checkout to one user (chown -R)."
  done
}

# Two launchers in one checkout would overwrite each other's outputs.
build_take_lock() {
  exec {build_lock}>>"$state/lock"
  flock -n "$build_lock" && return
  say "another ./threadclock is building or testing in this checkout: waiting for it."
  until flock -n "$build_lock"; do
    sleep 0.2
  done
}

build_all() {
  build_begin compiler make jdk maven
  build_native
  [[ -z $build_targets ]] || build_natives
  build_java
}

# True if nothing must be built, so that no other launcher need be waited for.
build_is_done() {
  [[ -z $build_targets && -r $library ]] || return 1
  jdk_find
  JAVA_HOME=$(jdk_build_home) || return 1
  stamp_holds "$state/native.stamp" "$(build_native_inputs)" && build_java_is_done "$(build_java_inputs)"
}

build_java_is_done() { # list of inputs
  stamp_holds "$state/java${build_bench:+-bench}.stamp" "$1" && stamp_holds "$state/java-begun.stamp" "$1" &&
    build_java_outputs_are_here
}

# Lists make's output, because somebody may have run make since; and no variable such as CC: what has been built serves the
# commands, whatever the environment has for the next build, in which make looks at them.
build_native_inputs() {
  stamp_list native -path native/build -prune -o
  stamp_list "${library#"$root/"}"
}

build_native() {
  build_must "building the native library" native-build "${build_make[@]}"
  stamp_write "$state/native.stamp" "$(build_native_inputs)"
}

# Builds the libraries of all platforms: native/build/native.
build_natives() {
  zig_provide
  build_must "building the native libraries of all platforms" natives-build "${build_make[@]}" ZIG="$zig" natives
}

build_java() {
  local list log=$state/java-build.log goals
  list=$(build_java_inputs)
  ! build_java_is_done "$list" || return 0
  build_java_clean "$list"
  goals=(package -DskipTests)
  [[ -z $build_targets ]] || goals+=(-Dnatives=all)
  build_maven_in "$root" "building the Java programs" "$log" "${goals[@]}" || build_failed "./mvnw ${goals[*]}" "$log"
  build_java_note "$list"
}

build_maven_in() { # checkout, title, log, arguments…
  local checkout=$1 title=$2 log=$3
  shift 3
  build_set_maven "$checkout" "$@"
  job_step "$title" "$log" "${build_maven[@]}" && return
  title=$(build_explain_fetching "$log") && fail "$title"
  return 1
}

# Tests several modules at a time: they mostly wait for other programs, and no test may rely on a CPU of its own. The option
# is in this variable, because it then reaches the JVMs of the tests as well, and may contain a path with spaces.
build_set_maven() { # checkout, arguments…
  local checkout=$1
  shift
  job_ensure_scratch
  build_maven=(env JDK_JAVA_OPTIONS="${JDK_JAVA_OPTIONS:-} \"-Djava.io.tmpdir=$job_scratch\""
    "$checkout/mvnw" -B -ntp -T "$build_modules" -Dnative.built -f "$checkout/pom.xml" ${build_bench:+-Pbench} "$@")
}

# The list includes the JDK, and the native library, which a jar contains: a change of either requires another build.
build_java_inputs() {
  local module inputs=(pom.xml mvnw .mvn "${library#"$root/"}")
  [[ -z $build_targets ]] || inputs+=("${library%/*}/native")
  inputs=("${inputs[@]#"$root/"}")
  printf 'JAVA_HOME\t%s\n' "$JAVA_HOME"
  while read -r module; do
    inputs+=("$module/pom.xml")
    # The list of versions has no sources.
    [[ ! -d $root/$module/src ]] || inputs+=("$module/src")
  done < <(build_java_modules)
  stamp_list "${inputs[@]}"
}

# With bench, whether it is built or not.
build_java_modules() {
  sed -n 's|^ *<module>\(.*\)</module>$|\1|p' "$root/pom.xml"
}

build_java_note() { # list of inputs: it is built
  local stamp
  for stamp in java ${build_bench:+java-bench}; do
    stamp_write "$state/$stamp.stamp" "$1"
  done
}

# A class whose source is gone would stay, whichever command has compiled it, and even if its build failed.
build_java_clean() { # list of inputs, which are about to be compiled
  local module
  if [[ ! -e $state/java-begun.stamp ]] || stamp_lost_file "$state/java-begun.stamp" "$1"; then
    while read -r module; do
      rm -rf -- "${root:?}/$module/target"
    done < <(build_java_modules)
  fi
  stamp_write "$state/java-begun.stamp" "$1"
}

build_java_outputs_are_here() {
  local module
  while read -r module; do
    # A module that has only tests packs nothing.
    [[ -d $root/$module/src/main && ($module != bench || -n $build_bench) ]] || continue
    compgen -G "$root/$module/target/*.jar" >/dev/null || return 1
  done < <(build_java_modules)
}

# Maven needs twenty lines to say that it could not fetch something; this prints one. Status 1: there was another cause.
build_explain_fetching() { # log
  local answer
  answer=$(grep -oE 'mvnw: fetching .* failed: .*|Could not (transfer|find) artifact .*' "$1" | head -n 1) || return 1
  answer=${answer%% @ line *}
  answer=${answer%% -> \[Help*}
  answer=${answer%%. Check the network*}
  printf '%s' "fetching what the Java programs need failed: $answer. Check the network and the mirrors in ~/.m2/settings.xml; all output: $1"
}

# Runs a command whose failure is the launcher's.
build_must() { # title, name of the log, command…
  local title=$1 log=$state/$2.log
  shift 2
  job_step "$title" "$log" "$@" || build_failed "$title" "$log"
}

build_failed() { # what was tried, log
  tail -n "$BUILD_LINES_SHOWN" -- "$2" >&2
  fail "$1 failed; its last lines are above, all of it is in $2"
}

# ---- stamps: the list of the files that something was made from, with size and time of change ----

# This is a list, and not only the newest time, so that a deleted file or another branch is noticed, too.
stamp_list() { # paths relative to the checkout; tests of find(1) may follow
  (cd -- "$root" && find "$@" -type f -printf '%p\t%s\t%T@\n' | LC_ALL=C sort)
}

stamp_holds() { # stamp, list
  [[ -f $1 ]] && [[ $(<"$1") == "$2" ]]
}

# An incremental build does not notice that a file was deleted, and would keep its outputs.
stamp_lost_file() { # stamp, list
  local path rest
  [[ -f $1 ]] || return 1
  while IFS=$'\t' read -r path rest; do
    [[ $rest == *$'\t'* && $'\n'$2 != *$'\n'"$path"$'\t'* ]] && return 0
  done <"$1"
  return 1
}

# Writes the stamp in one step, so that an interrupted build leaves none that looks valid.
stamp_write() { # stamp, list
  printf '%s\n' "$2" >"$1.new"
  mv -- "$1.new" "$1"
}
