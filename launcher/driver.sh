# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts the Java programs that measure.

driver_start() { # module, main class, arguments…
  local module=$1 main=$2
  shift 2
  [[ -f $root/$module/pom.xml ]] ||
    fail "looked for $root/$module/pom.xml: it is not there. Restore the checkout (git status)."
  build_all
  build_release_lock
  job_ensure_scratch
  CC=$(toolchain_compiler) # for a driver that runs make: with another compiler all would be built anew
  export CC THREADCLOCK_HOME=$root THREADCLOCK_LIBRARY=$library
  job_run "$JAVA_HOME/bin/java" -Djava.io.tmpdir="$job_scratch" \
    -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@"
}
