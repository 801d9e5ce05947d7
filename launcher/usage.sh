# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What the commands say of themselves.

usage() {
  cat <<'END'
Usage: ./threadclock COMMAND [OPTION…]

  demo    run an embedded QuestDB on every JDK found, stock and with the agent, and compare
  test    run all tests: native, Java, launcher
  bench   measure the cost of one read, natively and through ThreadMXBean
  attach  give a running JVM the clock, by its PID; detach takes it away again
  run     run a program, and give the JVM that it is the clock
  build   build only
  help    this text; ./threadclock COMMAND --help says more of a command

Each command first installs (apt-get; root or sudo) and builds what is missing or out of date.

Environment:
  THREADCLOCK_JDKS   colon-separated homes of the JDKs to use, instead of those found in JAVA_HOME,
                     /usr/lib/jvm, /opt/*jdk* and ~/.sdkman/candidates/java
  CC                 C compiler, instead of gcc or clang
END
}

usage_of_demo() {
  cat <<'END'
Usage: ./threadclock demo [--quick] [--jdks=17,25] [--write]

Runs an embedded QuestDB with real ingestion and real SQL on every JDK 17 or newer that is found,
stock and with the agent, and prints what measuring costs, what it does to the program, the threads'
times, and what a clock tick does to them. Under 3 minutes.
  --quick       fewer rounds; under 40 s
  --jdks=LIST   only these of the JDKs found, by feature version
  --write       write the tables into README.md and docs/benchmarks.md, too
END
}

usage_of_bench() {
  cat <<'END'
Usage: ./threadclock bench [--quick] [--jdks=17,25] [--write]

Measures the cost of one read: natively, from every source, and through ThreadMXBean on every JDK
17 or newer that is found. Under 6 minutes.
  --quick      fewer rounds; under a minute
  --jdks=LIST  only these of the JDKs found, by feature version
  --write      write the tables into README.md and docs/benchmarks.md, too
END
}

usage_of_test() {
  cat <<'END'
Usage: ./threadclock test [--native] [--java] [--checks]

Runs the tests; with options, only those parts:
  --native   the C tests (TAP), plain and under the sanitizers
  --java     the Java tests, on child JVMs of every JDK 17 or newer that is found
  --checks   the launcher's tests, and checks of the documents and scripts

The last line is "tests: N passed, N failed, N skipped". Status 0: some passed and none failed.
END
}

usage_of_build() {
  cat <<'END'
Usage: ./threadclock build

Builds threadclock-native/build/libthreadclock.so and the Java programs.
END
}

usage_refuse() { # what is wrong
  say "$1"
  usage >&2
  exit 2
}
