# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts the Java programs: those that measure, and the command line.

readonly CLI_JAR=threadclock-cli.jar

driver_arguments=() # of the Java program

driver_start() { # main class, arguments…
  local main=$1 options
  shift
  # Reads the load before the build, which is our own.
  read -r THREADCLOCK_LOAD _ </proc/loadavg || THREADCLOCK_LOAD=
  export THREADCLOCK_LOAD
  driver_take_jdks "$@"
  build_bench=yes
  build_all
  build_must "building bench's programs in C" bench-build \
    make --no-print-directory -s -C "$root/bench" CC="$(toolchain_compiler)" JAVA_HOME="$JAVA_HOME"
  driver_provide_jdks
  exec {build_lock}>&- # another one may build while this one measures
  job_ensure_scratch
  export THREADCLOCK_HOME=$root THREADCLOCK_LIBRARY=$library
  unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS # what is measured runs with the options that it states
  read -ra options <<<"${THREADCLOCK_JAVA_OPTIONS:-} ${THREADCLOCK_OPTS:-}"
  # JDK 24 and newer warn of what JMH and QuestDB do, and QuestDB needs usual headers of objects; older ones know no such
  # options.
  job_run "$JAVA_HOME/bin/java" -Djava.io.tmpdir="$job_scratch" -Dsun.misc.unsafe.memory.access=allow \
    -XX:+IgnoreUnrecognizedVMOptions -XX:-UseCompactObjectHeaders --enable-native-access=ALL-UNNAMED "${options[@]}" \
    -cp "$(program_class_path bench bench.jar)" "$main" "${driver_arguments[@]}"
}

# The programs only know feature versions, so `all` is resolved here.
driver_take_jdks() { # arguments…
  driver_arguments=()
  while (($#)); do
    case $1 in
      --jdks=*) jdk_want "$JDK_OLDEST" "${1#*=}" ;;
      --jdks)
        jdk_want "$JDK_OLDEST" "${2:-}"
        shift
        ;;
      *) driver_arguments+=("$1") ;;
    esac
    shift
  done
}

driver_provide_jdks() {
  [[ -n $jdk_wanted ]] || return 0
  jdk_provide
  printf -v jdk_wanted ',%s' "${jdk_chosen[@]}"
  driver_arguments+=("--jdks=${jdk_wanted#,}")
}

program_class_path() { # module, its jar
  printf '%s' "$root/$1/target/$2:$root/$1/target/lib/*"
}

# Runs the script of the archive with the present build, in a process of its own, because the build's environment is not
# for the program that `run` starts.
cli_start() { # command, arguments…
  (build_is_done) || "$root/threadclock" build >/dev/null || return
  jdk_find
  job_become sh "$root/cli/src/main/sh/threadclock" \
    --built "$(jdk_build_home)/bin/java" "$(program_class_path cli "$CLI_JAR")" "$library" "$@"
}
