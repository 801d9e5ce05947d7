// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.util.Arrays;
import java.util.Optional;

/** The keys and what they do; the help is made of this. */
enum Key {
    HELP("?h", "?", "this help; any key leaves it"),
    QUIT("q\3\4", "q", "quit"),
    SUSPEND("\32", "^Z", "give the terminal to the shell; fg comes back"),
    SORT("s", "s", "sort by the next of cpu, user, system, wait, switches, time, name, tid"),
    CPU("c", "c t n", "sort by CPU usage, CPU time since the start, or name"),
    TIME("t", "", ""),
    NAME("n", "", ""),
    WAIT("w", "w x", "sort by waiting for a CPU, or by context switches"),
    SWITCHES("x", "", ""),
    FILTER("/", "/", "filter by a part of the name, or by kind; Enter takes it, Esc drops it"),
    FOLD("p", "p", "fold pools into one line each, or unfold them"),
    STACK("d\r\n", "d", "stack of the thread at the cursor, else of the busiest (Enter does, too)"),
    FREEZE("f ", "f", "freeze the screen, or let it go on (space does, too)"),
    FASTER("+", "+ -", "look more often, or less"),
    SLOWER("-", "", ""),
    UP("k", "k j", "move the cursor, as the arrows do; PgUp, PgDn and Home scroll"),
    DOWN("j", "", ""),
    PAGE_UP("", "", ""),
    PAGE_DOWN("", "", ""),
    HOME("g", "", ""),
    EXPORT("e", "e", "write the screen to a file in this directory");

    private final String codes;
    private final String label;
    private final String effect;

    Key(String codes, String label, String effect) {
        this.codes = codes;
        this.label = label;
        this.effect = effect;
    }

    static Optional<Key> of(int code) {
        return Arrays.stream(values())
                .filter(key -> key.codes.indexOf(code) >= 0)
                .findFirst();
    }

    /** The key of a sequence that follows Esc. */
    static Optional<Key> ofSequence(String sequence) {
        return switch (sequence) {
            case "[A", "OA" -> Optional.of(UP);
            case "[B", "OB" -> Optional.of(DOWN);
            case "[5~" -> Optional.of(PAGE_UP);
            case "[6~" -> Optional.of(PAGE_DOWN);
            case "[H", "OH", "[1~" -> Optional.of(HOME);
            default -> Optional.empty();
        };
    }

    String label() {
        return label;
    }

    String effect() {
        return effect;
    }
}
