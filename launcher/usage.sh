# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The help texts of the commands.

usage() {
  cat <<'END'
Usage: ./threadclock COMMAND [OPTION…]

Tells what each thread of a JVM has cost, user, system and CPU time, at the price of one read of the
time-stamp counter.

  demo      run an embedded QuestDB on every JDK found, stock and with the agent, and compare
  test      run all tests: native, Java, launcher
  bench     measure what reads cost, in C and in Java, and what that does to a program; write a report
  accuracy  compare what each way of reading says with the truth; write a report
  soak      let everything happen at once to a program for half an hour, and count what must not be
  ingest    measure how many samples a second a QuestDB takes, to size one for a fleet
  jdks      list the JDKs that --jdks would use, fetching those that are missing
  doctor    say what this machine can do for the clock, and what would make it do better
  attach    give a running JVM the clock, by its PID; detach takes it away again
  top       show what the threads of a running JVM cost
  run       run a program, and give the JVM that it is the clock
  record    record what the threads of a JVM cost, by its PID, into ./threadclock-data
  report    show what was recorded, as a page; --sql asks for it, --serve opens a console
  build     build only
  dist      pack doctor, attach, detach, top, run, record and report into an archive that needs only
            a Java runtime
  help      this text; ./threadclock help COMMAND, or COMMAND --help, says more of a command
  version   the version of this checkout

--jdks=LIST, of demo, test, bench, accuracy, soak and jdks: on these feature versions, as in
--jdks=17,25, and no others; --jdks=all: on 8, 11, 17, 21, 25, 26 and the newest that Debian has, of
those that the command runs on. What this machine does not have is fetched from Debian's unstable
archive, without root, in well under a minute, once, and kept outside the checkout.

Each command first installs (apt-get; root or sudo) and builds what is missing or out of date.

Environment:
  THREADCLOCK_JDKS   colon-separated homes of the JDKs to use, instead of those found in JAVA_HOME,
                     /usr/lib/jvm, /opt/*jdk* and ~/.sdkman/candidates/java
  THREADCLOCK_CACHE  folder for what is fetched, instead of ~/.cache/threadclock (XDG_CACHE_HOME is
                     heeded): the JDKs of --jdks, 130 to 320 MB each, what test --kernels (40 MB) and
                     --platforms (820 MB) need; may be deleted at any time
  THREADCLOCK_MIRROR archive of Debian to fetch them from, instead of the one that apt uses
  THREADCLOCK_JAVA_OPTIONS  options for the JVM that runs the command, divided at spaces; not for the
                     JVMs that demo, bench, accuracy and soak start and measure
  CC                 C compiler, instead of gcc or clang
END
}

usage_of_test() {
  cat <<'END'
Usage: ./threadclock test [--native] [--java] [--checks] [--analysis] [--kernels] [--platforms]
                          [--install] [--all] [--jdks=LIST|all]

Without options: tries each promise of the native library, of the Java programs (on the newest JDK
found) and of the checkout once, in about 7 minutes on 2 CPUs. Left to the options: the sanitizers,
older JDKs, other collectors, all sources and options in each JVM, thousands of threads and attachments,
the bounds of accuracy, demo --live, demo's flame graphs, Error Prone, what is published, and the
parts from --analysis on. With options: tests these parts in full:
  --native   the C tests (TAP), plain and under the sanitizers; some beside gdb, Valgrind, tcmalloc and
             jemalloc, which Debian has
  --java     the Java tests, on child JVMs of every JDK from 8 on that is found; bench's report in
             Chromium, which Debian has; the accuracy laboratory
  --checks   the launcher's tests, checks of the documents and scripts, Error Prone, and what is published,
             which is built twice and compared
  --analysis fuzzing, ThreadSanitizer, static analysis, and the coverage of the C core; fuzzing of what
             the commands read of others; 2 to 3 minutes
  --kernels  the C tests on other kernels, Debian's 6.1, 6.12 and newest, also with PREEMPT_RT, in an
             emulator (QEMU, without KVM), with glibc and with musl; says which source was chosen. The
             kernels are fetched from Debian, once
  --platforms  the libraries that build --targets=all makes: on musl, and on an emulated aarch64 with
             glibc, musl, a JDK and a kernel (which are fetched, once, from Debian)
  --install  the archive that dist writes, packed twice, and in a root with only a JRE, which is fetched
             from Debian, once; entering it takes root
  --all      every part
  --jdks=LIST   the Java tests on these JDKs, by feature version, as in 8,17; all: 8, 11, 17, 21,
                25, 26 and the newest that Debian has. Those that are missing are fetched

The last line is "tests: N passed, N failed, N skipped". Status 0: some passed and none failed.
END
}

usage_of_jdks() {
  cat <<'END'
Usage: ./threadclock jdks [--jdks=LIST|all] [--refresh]

Lists the homes of the JDKs that --jdks would use, after fetching those that are missing.
  --jdks=LIST   only these, by feature version; without it: all
  --refresh     fetch those anew that are not this machine's own
END
}

usage_of_build() {
  cat <<'END'
Usage: ./threadclock build [--targets=all]

Builds threadclock-native/build/libthreadclock.so and the Java programs.
  --targets=all  the libraries of x86_64 and aarch64, each for glibc from 2.17 on and for musl, too:
                 threadclock-native/build/native, and into the library's jar. By the C compiler of
                 Zig, which pip fetches, once (100 MB; 410 MB in ~/.cache/threadclock)
END
}

usage_of_dist() {
  cat <<'END'
Usage: ./threadclock dist [--output=FOLDER]

Packs the command line into dist/threadclock-VERSION.tar.gz, with a checksum beside it: bin/threadclock, what
it needs in lib/, man pages, completion for bash and zsh. For x86_64 and aarch64, glibc and musl; needs a
Java runtime, 17 or newer, and nothing else. The same sources and JDK give the same bytes. By the C
compiler of Zig, which pip fetches, once (100 MB; 410 MB in ~/.cache/threadclock).
  --output=FOLDER   instead of dist
END
}

usage_refuse() { # what is wrong
  say "$1"
  usage >&2
  exit 2
}
