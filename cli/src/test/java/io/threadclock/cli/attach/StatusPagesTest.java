// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.attach.StatusPages.VirtualThreads;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.OverFakeProc;
import io.threadclock.cli.process.Target;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusPagesTest extends OverFakeProc {
    private static final String FILE = " /x/libthreadclock.so (deleted)\n";
    private static final String LIBRARY =
            "7f0010000-7f0011000 r-xp 00000000 fd:00 1" + FILE + "7f0011000-7f0012000 rw-p 00001000 fd:00 1" + FILE;
    private static final String OFF = "7f0012000-7f0013000 r--p 00000000 00:00 0 \n";
    private static final String ON = OFF.replace("r--p", "---p");
    private static final String MARK = "7f0013000-7f0014000 -w-p 00000000 00:00 0 \n";
    private static final String UNUSED = "7f0014000-7f0016000 rw-p 00000000 00:00 0 \n";

    private static final Map<String, String> PIECES = Map.ofEntries(
            Map.entry("library", LIBRARY),
            Map.entry("copy", LIBRARY.replace("7f001", "7f101").replace("/x/", "/y/")),
            Map.entry("another", "7f0012000-7f0013000 rw-p 00000000 fd:00 2 /x/other.so\n"),
            Map.entry("older", OFF.replace("r--p", "rw-p")),
            Map.entry("off", OFF),
            Map.entry("on", ON),
            Map.entry("impossible", ON.replace("3000", "2800") + OFF.replace("2000", "2800")),
            Map.entry("mark", MARK),
            Map.entry("onlyMark", MARK.replace("3000", "2000").replace("4000", "3000")),
            Map.entry("unused", UNUSED),
            Map.entry("used", "7f0014000-7f0015000 ---p 00000000 00:00 0 \n" + UNUSED.replace("4000-", "5000-")),
            Map.entry("rubbish", "zzz\n-\n\n7f00112223334445556667-7f rw-p 0 0 0 \n7f0012000-7f0013000 -w-p\n"));

    @ParameterizedTest
    @CsvSource({
        "library off mark used, true, OFF",
        "library on mark used, true, ON",
        "library impossible mark used, true, IMPOSSIBLE",
        "library off mark unused, false, OFF",
        "library on mark unused, false, ON",
        "library impossible mark unused, false, IMPOSSIBLE", // refused when it was attached
        "older mark used, false, OFF", // without the library
        // One that does not tell of virtual threads, or of nothing.
        "library older mark used, true,",
        "library older mark unused, false, OFF",
        "library onlyMark, false, OFF",
        "library older,,",
        "library,,",
        // Pages of others, behind a gap or another file.
        "library mark used,,",
        "library another mark used,,",
        // Of two copies, one may be in use, and the other may not tell.
        "library older mark used copy, true,",
        "library on mark used copy, true, ON",
        "library off mark unused copy,,",
        "rubbish library rubbish older mark used, true,"
    })
    void tellTheStateOfAllCopies(String maps, Boolean isInUse, VirtualThreads virtualThreads) {
        String text = Stream.of(maps.split(" ")).map(PIECES::get).collect(joining());
        Target target = fake.write("77/maps", FakeProc.LIBJVM + text).target();
        assertThat(StatusPages.isInUse(target)).isEqualTo(Optional.ofNullable(isInUse));
        assertThat(StatusPages.virtualThreads(target)).isEqualTo(Optional.ofNullable(virtualThreads));
    }
}
