// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What does libthreadclock-preload.so gain unmodified programs? Each runs stock and preloaded, in turn. */
public final class Preloaded {
    private static final int ROUNDS = 9;
    private static final long PATIENCE_S = 120;
    private static final String NAME = "libthreadclock-preload.so";

    /** Where Debian has daemons that users do not start by hand. */
    private static final String DAEMONS = "/usr/sbin:/usr/lib/frr";

    /** In place of a program's name. */
    private static final String ROOT = "root's rights";

    /**
     * A program. Its scripts are those of a shell, in a folder of its own.
     *
     * @param name what it is, and what is counted
     * @param needs the programs that it takes
     * @param prepare runs once
     * @param run prints the ns that one of what is counted took; $KIND is the contender, $PRELOAD its LD_PRELOAD
     * @param end runs at the end, also of what did not begin
     */
    record Program(String name, List<String> needs, String prepare, String run, String end) {
        boolean isHere() {
            return needs.stream().allMatch(Program::isFound);
        }

        private static boolean isFound(String need) {
            if (need.equals(ROOT)) {
                return System.getProperty("user.name").equals("root");
            }
            return Stream.of((System.getenv("PATH") + ":" + DAEMONS).split(":"))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, need)));
        }
    }

    /** Their ids are in the file servers. */
    private static final String END_SERVERS =
            """
            servers=$(cat servers || true)
            [ -z "$servers" ] || kill $servers || true
            for server in $servers; do
              while grep -qs '^State:.[^XZ]' "/proc/$server/status"; do sleep 0.1; done
            done
            """;

    private static final List<Program> PROGRAMS = List.of(
            new Program(
                    "CPython, time.thread_time_ns()",
                    List.of("python3"),
                    """
                    cat >read.py <<'END'
                    import time
                    def turn():
                        begin = time.perf_counter_ns()
                        for _ in range(20000): time.thread_time_ns()
                        return (time.perf_counter_ns() - begin) / 20000
                    print(min(turn() for _ in range(10)))
                    END
                    """,
                    "LD_PRELOAD=$PRELOAD python3 read.py",
                    ""),
            new Program(
                    "Ruby, Process.clock_gettime(CLOCK_THREAD_CPUTIME_ID)",
                    List.of("ruby"),
                    """
                    cat >read.rb <<'END'
                    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
                    def turn
                      begin_ns = now
                      20000.times { Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID, :nanosecond) }
                      (now - begin_ns).fdiv(20000)
                    end
                    puts 10.times.map { turn }.min
                    END
                    """,
                    "LD_PRELOAD=$PRELOAD ruby read.rb",
                    ""),
            new Program(
                    "Ruby, a minor collection, measured (GC.measure_total_time)",
                    List.of("ruby"),
                    """
                    cat >collect.rb <<'END'
                    GC.measure_total_time = true
                    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
                    def turn
                      begin_ns = now
                      200.times { GC.start(full_mark: false) }
                      (now - begin_ns).fdiv(200)
                    end
                    puts 10.times.map { turn }.min
                    END
                    """,
                    "LD_PRELOAD=$PRELOAD ruby collect.rb",
                    ""),
            new Program(
                    "Rust, libc's clock_gettime()",
                    List.of("rustc"),
                    """
                    cat >read.rs <<'END'
                    #[repr(C)]
                    struct Timespec { s: i64, ns: i64 }
                    extern "C" { fn clock_gettime(id: i32, t: *mut Timespec) -> i32; }
                    fn turn() -> f64 {
                        let begin = std::time::Instant::now();
                        let mut t = Timespec { s: 0, ns: 0 };
                        for _ in 0..20000 { assert!(unsafe { clock_gettime(3, &mut t) } == 0 && t.s + t.ns >= 0); }
                        begin.elapsed().as_nanos() as f64 / 20000.0
                    }
                    fn main() { println!("{}", (0..10).map(|_| turn()).fold(f64::MAX, f64::min)); }
                    END
                    rustc -O read.rs
                    """,
                    "LD_PRELOAD=$PRELOAD ./read",
                    ""),
            new Program(
                    "Rust, Instant::now(), which is CLOCK_MONOTONIC and passed through",
                    List.of("rustc"),
                    """
                    cat >now.rs <<'END'
                    use std::time::Instant;
                    fn turn() -> f64 {
                        let begin = Instant::now();
                        for _ in 0..100000 { std::hint::black_box(Instant::now()); }
                        begin.elapsed().as_nanos() as f64 / 100000.0
                    }
                    fn main() { println!("{}", (0..40).map(|_| turn()).fold(f64::MAX, f64::min)); }
                    END
                    rustc -O now.rs
                    """,
                    "LD_PRELOAD=$PRELOAD ./now",
                    ""),
            new Program(
                    "MariaDB with userstat, a statement (DO 1)",
                    List.of("mariadbd", "mariadb-install-db", "mariadb-slap", "mariadb-admin"),
                    """
                    mariadb-install-db --no-defaults --datadir="$PWD/stock" --auth-root-authentication-method=normal \
                      --skip-test-db --user="$(id -un)" >install.log 2>&1
                    cp -r stock preloaded
                    serve() { # kind, LD_PRELOAD
                      LD_PRELOAD=$2 mariadbd --no-defaults --datadir="$PWD/$1" --socket="$PWD/$1.sock" --skip-networking \
                        --userstat=1 --user="$(id -un)" --pid-file="$PWD/$1.pid" >"$1.log" 2>&1 </dev/null &
                      echo $! >>servers
                    }
                    serve stock ''
                    serve preloaded "$PRELOAD"
                    for kind in stock preloaded; do
                      until mariadb-admin --no-defaults --socket="$PWD/$kind.sock" ping >ping.log 2>&1; do sleep 0.2; done
                    done
                    """,
                    """
                    mariadb-slap --no-defaults --socket="$PWD/$KIND.sock" --create-schema=mysql --concurrency=1 \
                      --number-of-queries=10000 --query='DO 1' | awk '/Average number of seconds/ { print $(NF - 1) * 1e5 }'
                    """,
                    END_SERVERS),
            new Program(
                    "FRRouting's ripd, CPU time of a command (show ip rip)",
                    List.of("ripd", "vtysh", ROOT),
                    """
                    home=$(mktemp -d /tmp/threadclock-frr.XXXXXX) # the user frr cannot come here
                    echo "$home" >home
                    chmod 755 "$home"
                    yes 'show ip rip' | head -n 2000 >commands
                    serve() { # kind, LD_PRELOAD
                      folder=$home/$1
                      mkdir "$folder"
                      chown frr:frr "$folder"
                      LD_PRELOAD=$2 ripd --vty_socket "$folder" -i "$folder/pid" -z "$folder/zebra" -P 0 -f /dev/null \
                        >"$1.log" 2>&1 </dev/null &
                      server=$!
                      echo $server >>servers
                      until [ -S "$folder/ripd.vty" ]; do
                        kill -0 $server
                        sleep 0.1
                      done
                    }
                    serve stock ''
                    serve preloaded "$PRELOAD"
                    """,
                    """
                    folder=$(cat home)/$KIND
                    cpu_ns() { cut -d' ' -f1 "/proc/$(cat "$folder/pid")/schedstat"; }
                    begin_ns=$(cpu_ns)
                    vtysh --vty_socket "$folder" -d ripd <commands >answers
                    echo $((($(cpu_ns) - begin_ns) / 2000))
                    """,
                    END_SERVERS + "rm -rf -- \"$(cat home)\"\n"));

    private final Path library;
    private final Progress progress;
    private final ResultsDraft draft;

    /**
     * @param agent the library beside which the one to preload lies
     * @throws SetupException if programs would run without it: the loader says so on standard error, and goes on
     */
    public Preloaded(AgentLibrary agent, Progress progress, ResultsDraft draft) {
        this.library = agent.path().resolveSibling(NAME);
        if (!Files.isReadable(library) || library.toString().matches(".*[:\\s].*")) {
            throw new SetupException("preloading " + library
                    + ": it cannot be read, or its path has a space or a colon, at which LD_PRELOAD is divided."
                    + " Build it, in a folder without them.");
        }
        this.progress = progress;
        this.draft = draft;
    }

    /**
     * Adds the rounds of each program that is here, and notes which ones are not.
     *
     * @throws SetupException if one fails
     */
    public void measure() {
        PROGRAMS.forEach(program -> {
            if (program.isHere()) {
                measure(program);
            } else {
                draft.note(program.name() + ": left out, because not all of " + program.needs() + " are here.");
            }
        });
    }

    private void measure(Program program) {
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-")) {
            progress.stage(program.name());
            scratch.endBy(() -> shell(program, program.end(), scratch.path(), Contest.STOCK));
            shell(program, program.prepare(), scratch.path(), Contest.PRELOADED);
            for (int round = 0; round < ROUNDS; round++) {
                boolean isOdd = round % 2 != 0;
                add(program, scratch.path(), isOdd ? Contest.PRELOADED : Contest.STOCK);
                add(program, scratch.path(), isOdd ? Contest.STOCK : Contest.PRELOADED);
            }
        }
    }

    private void add(Program program, Path folder, String contender) {
        String printed = shell(program, program.run(), folder, contender).strip();
        try {
            draft.add(
                    new Subject(Benchmarks.PRELOAD, "", contender, program.name(), null),
                    "ns",
                    Double.parseDouble(printed));
        } catch (NumberFormatException other) {
            throw failed(program, "it printed '" + printed + "'");
        }
    }

    /** Standard error stays in the folder until it is known whether it matters. */
    private String shell(Program program, String script, Path folder, String contender) {
        ProcessBuilder shell = new ProcessBuilder("sh", "-ec", script).directory(folder.toFile());
        Path errors = folder.resolve("errors");
        Path answer = folder.resolve("answer");
        shell.redirectError(errors.toFile()).redirectOutput(answer.toFile());
        shell.environment().put("KIND", contender);
        shell.environment().put("PRELOAD", contender.equals(Contest.STOCK) ? "" : library.toString());
        shell.environment().merge("PATH", DAEMONS, (path, more) -> path + ":" + more);
        try {
            Process process = shell.start();
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroy();
                throw failed(program, "it took more than " + PATIENCE_S + " s. " + Files.readString(errors));
            }
            if (process.exitValue() != 0) {
                throw failed(
                        program,
                        "status " + process.exitValue() + ". "
                                + Files.readString(errors).strip());
            }
            return Files.readString(answer);
        } catch (IOException unusable) {
            throw failed(program, unusable.toString());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw failed(program, "interrupted");
        }
    }

    private static SetupException failed(Program program, String answer) {
        return new SetupException("Measuring " + program.name() + " failed: " + answer + ". Look at its message.");
    }
}
