// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStatusTest {
    private static final String TEXT =
            "Name:\tjava: 1\nState:\tT (stopped)\nTgid:\t5\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\n"
                    + "Groups:\t10 4294967294\nNSpid:\t5\t3\t1\nVmSize:\t1 kB\nSigCgt:\t0000000000000004\nCapEff:\t000001ffffffffff\n";

    @Test
    void readsEffectiveIds() {
        assertThat(ProcessStatus.parse(TEXT).uid()).isEqualTo(2);
        assertThat(ProcessStatus.parse(TEXT).gid()).isEqualTo(6);
    }

    @Test
    void readsThePidThatTheProcessItselfSees() {
        assertThat(ProcessStatus.parse(TEXT).namespacePid()).isEqualTo(1);
    }

    @Test
    void takesThePidWhereTheKernelKnowsNoNamespaces() {
        assertThat(ProcessStatus.parse("Pid:\t9\nUid:\t0 0 0 0\nGid:\t0 0 0 0\n")
                        .namespacePid())
                .isEqualTo(9);
    }

    @Test
    void seesThatSigquitIsCaught() {
        assertThat(ProcessStatus.parse(TEXT).catchesQuit()).isTrue();
        assertThat(ProcessStatus.parse(TEXT.replace("0004\n", "fffb\n")).catchesQuit())
                .isFalse();
    }

    @Test
    void seesThatSigquitHasNotBeenTaken() {
        assertThat(ProcessStatus.parse(TEXT).hasQuitPending()).isFalse();
        assertThat(ProcessStatus.parse(TEXT + "ShdPnd:\t0000000000000004\n").hasQuitPending())
                .isTrue();
    }

    @Test
    void seesThatItIsStoppedByASignalOrADebugger() {
        assertThat(ProcessStatus.parse(TEXT).isStopped()).isTrue();
        assertThat(ProcessStatus.parse(TEXT.replace("T (stopped)", "t (tracing stop)"))
                        .isStopped())
                .isTrue();
        assertThat(ProcessStatus.parse(TEXT.replace("T (stopped)", "S (sleeping)"))
                        .isStopped())
                .isFalse();
    }

    @Test
    void readsGroupsBeyondTheSignedRange() {
        assertThat(ProcessStatus.parse(TEXT).groups()).containsExactly(10, -2);
    }
}
