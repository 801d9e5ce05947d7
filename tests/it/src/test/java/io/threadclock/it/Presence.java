// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.ChildJvm;

/** The ways in which the agent gets into a program, and whether it stays. */
enum Presence {
    STOCK {
        @Override
        Program of(Program program) {
            return program;
        }
    },
    AGENTPATH {
        @Override
        Program of(Program program) {
            return program.agent("");
        }
    },
    /** Attached at the program's first gate. */
    ATTACHED {
        @Override
        void at(String gate, ChildJvm child) {
            if (gate.equals(FIRST_GATE)) {
                try (LateAgent agent = LateAgent.in(child)) {
                    agent.attach("");
                }
            }
        }
    },
    /** Attached at the program's first gate, and detached at its second. */
    DETACHED {
        @Override
        void at(String gate, ChildJvm child) {
            if (gate.equals(SECOND_GATE)) {
                try (LateAgent agent = LateAgent.in(child)) {
                    agent.detach();
                }
            } else {
                ATTACHED.at(gate, child);
            }
        }
    },
    /** As {@link #DETACHED}, with the option {@code virtual}. */
    VIRTUAL_DETACHED {
        @Override
        void at(String gate, ChildJvm child) {
            if (gate.equals(FIRST_GATE)) {
                try (LateAgent agent = LateAgent.in(child)) {
                    agent.attach(VIRTUAL);
                }
            } else {
                DETACHED.at(gate, child);
            }
        }
    },
    /** As {@link #TOGGLED_LESS}, with the option {@code virtual}. */
    VIRTUAL_TOGGLED {
        @Override
        void at(String gate, ChildJvm child) {
            toggle(gate, child, Toggles.ROUNDS, VIRTUAL);
        }
    },
    /** Installed by the program itself, through the library, at its first gate. */
    BOOSTED {
        @Override
        Program of(Program program) {
            return boosted(program, FIRST_GATE);
        }
    },
    /** Installed by the program itself, and uninstalled at its second gate. */
    UNBOOSTED {
        @Override
        Program of(Program program) {
            return boosted(program, FIRST_GATE + "," + SECOND_GATE);
        }
    },
    /** Installed and uninstalled again and again, while the program is busy. */
    BOOST_TOGGLED {
        @Override
        Program of(Program program) {
            return boosted(program, BUSY_GATE);
        }
    },
    /** Attached and detached again and again, while the program is busy at a gate of its own. */
    TOGGLED {
        @Override
        void at(String gate, ChildJvm child) {
            toggle(gate, child, ROUNDS, "");
        }
    },
    /** As {@link #TOGGLED}, as often as one process does it. */
    TOGGLED_LESS {
        @Override
        void at(String gate, ChildJvm child) {
            toggle(gate, child, Toggles.ROUNDS, "");
        }
    },
    /** As {@link #TOGGLED}, with a copy of another version than the one that the program itself uses. */
    TOGGLED_OTHER_VERSION {
        @Override
        void at(String gate, ChildJvm child) {
            if (gate.equals(BUSY_GATE)) {
                Toggles.run(LateAgent.pidOfJvm(child), CopyOfLibrary.ofAnotherVersion());
            }
        }
    },
    /** Stopped and continued, while the program is busy. */
    STOPPED {
        @Override
        void at(String gate, ChildJvm child) {
            for (int i = 0; i < INTERRUPTIONS; i++) {
                Interruption.stop(LateAgent.pidOfJvm(child));
            }
        }
    },
    /** A debugger attaches and lets it go on, while the program is busy. */
    DEBUGGED {
        @Override
        void at(String gate, ChildJvm child) {
            for (int i = 0; i < INTERRUPTIONS; i++) {
                Interruption.debug(LateAgent.pidOfJvm(child));
            }
        }
    };

    /** How often {@link #TOGGLED} attaches. */
    static final int ROUNDS = 2000;

    private static final String VIRTUAL = "virtual";
    private static final int INTERRUPTIONS = 3;
    private static final String FIRST_GATE = "begin";
    private static final String SECOND_GATE = "middle";
    private static final String BUSY_GATE = "churning";

    /** The program with everything that it needs from its start on. */
    Program of(Program program) {
        return program.present(this);
    }

    boolean acts() {
        return this != STOCK && this != AGENTPATH;
    }

    /** Acts while {@code child} waits at a gate. */
    void at(String gate, ChildJvm child) {}

    private static Program boosted(Program program, String gates) {
        return program.nativeAccess().jvmOption("-Dthreadclock.it.boost=" + gates);
    }

    private static void toggle(String gate, ChildJvm child, int rounds, String options) {
        for (int i = 0; i < rounds && gate.equals(BUSY_GATE); i += Toggles.ROUNDS) {
            Toggles.run(LateAgent.pidOfJvm(child), options);
        }
    }
}
