# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The help texts of the commands.

usage() {
  cat <<'END'
Usage: ./threadclock COMMAND [OPTION…]

Tells what each thread of a JVM has cost (user, system and CPU time) at the price of one read of the
time-stamp counter.

  demo      run a QuestDB program on every JDK, stock and with the agent, and compare
  test      run the tests that decide on a change; with options, all others
  bench     measure what reads cost, in C and in Java, and what that does to a program
  accuracy  compare what each way of reading says with the truth
  soak      attach, detach, profile and read a busy program's clocks at once, and count faults
  jdks      list the JDKs that --jdks would use, fetching those that are missing
  doctor    say what this machine and a process on it offer to threadclock, and what would improve it
  attach    make the ThreadMXBean of a running JVM fast, without a restart
  detach    put a JVM's own ThreadMXBean back
  top       show what the threads of a JVM cost
  run       run a program, and make it fast: attach to the JVM that it becomes, or preload the clock
  record    record what the threads of a JVM cost, for report
  report    show what record has recorded
  build     build only
  dist      pack doctor, attach, detach, top, run, record and report into an archive that needs only
            a Java runtime
  release   build and sign what is published for Java programs, from a tag, into a folder
  verify    build a jar of a release again from its commit, and compare the bytes
  help      show this text; ./threadclock help COMMAND, or COMMAND --help, says more about a command
  version   show the version of this checkout

demo, test, bench, accuracy, soak and jdks take --jdks=LIST: only these feature versions, as in
--jdks=17,25,newest; or --jdks=all: those of 8, 11, 17, 21, 25, 26 and the newest in Debian on which the
command runs. A JDK that this machine lacks is fetched from Debian's unstable archive, without root,
in well under a minute, once, and kept outside the checkout.

Each command first installs (apt-get; root or sudo) and builds what is missing or out of date.

Environment:
  THREADCLOCK_JDKS   colon-separated homes of the JDKs to use, instead of those found in JAVA_HOME,
                     /usr/lib/jvm, /opt/*jdk* and ~/.sdkman/candidates/java
  THREADCLOCK_CACHE  folder for what is fetched, instead of threadclock in XDG_CACHE_HOME or ~/.cache:
                     the JDKs of --jdks (130 to 320 MB each), and what test --kernels (40 MB) and
                     --platforms (820 MB) need. It may be deleted at any time
  THREADCLOCK_MIRROR archive of Debian to fetch them from, instead of the one that apt uses
  THREADCLOCK_OPTS   options for the JVM that runs the command, separated by spaces; not for the JVMs
                     that demo, bench, accuracy and soak start and measure. THREADCLOCK_JAVA_OPTIONS
                     does the same, and comes first
  CC                 C compiler, instead of gcc or clang
END
}

usage_of_test() {
  cat <<'END'
Usage: ./threadclock test
       ./threadclock test --wide [--strict]
       ./threadclock test --report
       ./threadclock test [--native] [--java] [--checks] [--analysis] [--kernels] [--platforms]
                          [--install] [--languages] [--all] [--jdks=LIST|all]

Without options: what decides whether a change is right, in 4 to 6 minutes on 2 CPUs. Its tests compare
order, sums and equality, so that neither load nor chance turns them red: the C tests, those on a made-up
machine under the sanitizers too; the Java tests, on the newest JDK found and on 8 if that is found; the
checks of the checkout. What is red is tried once more, alone, at the end; if it is green then, it counts
as green, is told as "flaky", and kept for --report.

  --wide     everything in full: the parts below on all JDKs, the tests of shares, costs and times,
             foreign servers and browsers, accuracy --quick, bench --check, soak --minutes=5. What is
             red is tried twice more. A part that is red or cannot run ends no other; what came out is
             appended to launcher/wide.tsv. After Ctrl-C, the same command goes on where it stopped.
             Status 0, whatever is red. Two to three hours on 2 CPUs
  --strict   status 1 if something was red each time, or could not run
  --report   what the wide runs say: what is red, since which commit; what did not run; what is flaky

With options: tests these parts in full:
  --native   the C tests (TAP), plain and under the sanitizers; some beside gdb, Valgrind, tcmalloc and
             jemalloc, which Debian has
  --java     the Java tests, on child JVMs of every JDK from 8 on that is found; report's page in
             Chromium, which Debian has; meters in Prometheus; the laboratory
  --checks   the launcher's tests, checks of the documents and scripts, Error Prone, and what is published,
             which is built twice and compared
  --analysis fuzzing, ThreadSanitizer, static analysis, and the coverage of the C core; fuzzing of what
             commands read from others; 2 to 3 minutes
  --kernels  the C tests on other kernels, Debian's 6.1, 6.12 and newest, also with PREEMPT_RT, in an
             emulator (QEMU, without KVM), with glibc and with musl; says which source was chosen. The
             kernels are fetched from Debian, once
  --platforms  the libraries that build --targets=all makes: on musl, and on an emulated aarch64 with
             glibc, musl, a JDK, a Python and a kernel (which are fetched from Debian, once)
  --install  the archive that dist writes: packed twice and compared, and installed in a root directory
             with only a JRE, which is fetched from Debian, once; entering it needs root
  --languages  the packages for C++, Rust and Python, each built and installed as its users do
  --all      every part
  --jdks=LIST   the Java tests on these JDKs (see ./threadclock help)

The last line is "tests: N passed, N failed, N skipped"; before it stand the seconds of each part and the
slowest programs and classes. Status 0: some passed and none failed.
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
  --targets=all  the libraries of x86_64 and aarch64 as well, each for glibc from 2.17 on and for musl,
                 in threadclock-native/build/native and in the library's jar. The C compiler of Zig
                 builds them; pip fetches it once (100 MB; 410 MB in ~/.cache/threadclock)
END
}

usage_of_dist() {
  cat <<'END'
Usage: ./threadclock dist [--output=FOLDER] [--image]

Packs the command line into dist/threadclock-VERSION.tar.gz, with a checksum beside it: bin/threadclock, what
it needs in lib/, man pages, completion for bash, fish and zsh. For x86_64 and aarch64, glibc and musl; needs
a Java runtime, 17 or newer, and nothing else. Also as packages (.deb, .rpm) where dpkg-deb and rpmbuild are. The same
sources and JDK give the same bytes. The libraries are those of build --targets=all.
  --output=FOLDER   instead of dist
  --image           also dist/threadclock-VERSION-oci.tar, an image for containers (OCI layout) of this
                    machine's architecture, with Debian's JRE, which is fetched, once (130 MB)
END
}

usage_of_release() {
  cat <<'END'
Usage: ./threadclock release --home=URL [--key=KEY] [--output=FOLDER] [--publish]

Builds what is published for Java programs, from the tag v* that HEAD has, and writes it to
release/threadclock-VERSION, which is a Maven repository: jars, sources, documentation, bills of
materials and poms, each with a signature of gpg and checksums. The number in pom.xml is that of the
tag; one may end as in v1.2.3-rc1. The same tag and JDK give the same bytes, except for signatures.
It fails if anything is uncommitted, if a document tells of a snapshot, if CHANGELOG.md lacks the
version, if test --wide has not run on the same sources or was red, or if a native library, or the
binding for JDK 22 and newer, is not in the jars.
  --home=URL        the project's address, for the poms; or PROJECT_HOME in the environment
  --key=KEY         of gpg; without it: gpg's default. MAVEN_GPG_PASSPHRASE has its passphrase
  --output=FOLDER   instead of release
  --publish         then upload it to Maven Central, where it waits to be published, as the server
                    "central" of Maven's settings.xml
END
}

usage_of_verify() {
  cat <<'END'
Usage: ./threadclock verify JAR…

Builds the commit that the manifest of a released jar names, with the JDK that it names, in a folder
of its own, and compares the jar with what that gives. Says that it has the same bytes, or which
entries differ. Status 0: all are the same; 1: one is not.
END
}

usage_refuse() { # what is wrong
  say "$1"
  usage >&2
  exit 2
}
