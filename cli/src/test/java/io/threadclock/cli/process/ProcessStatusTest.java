// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStatusTest {
    private static final String TEXT =
            "Name:\tjava: 1\nState:\tT (stopped)\nTgid:\t5\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\n"
                    + "Groups:\t10 4294967294\nNSpid:\t5\t3\t1\nVmSize:\t1 kB\nSigCgt:\t0000000000000004\nCapEff:\t000001ffffffffff\n";

    @Test
    void readsEffectiveIdsAndThePidThatTheProcessItselfSees() {
        assertThat(ProcessStatus.parse(TEXT))
                .returns(2, ProcessStatus::uid)
                .returns(6, ProcessStatus::gid)
                .returns(1, ProcessStatus::namespacePid);
        assertThat(ProcessStatus.parse(TEXT).groups()).containsExactly(10, -2);
    }

    @Test
    void takesThePidWhereTheKernelKnowsNoNamespaces() {
        assertThat(ProcessStatus.parse("Pid:\t9\nUid:\t0 0 0 0\nGid:\t0 0 0 0\n"))
                .returns(9, ProcessStatus::namespacePid);
    }

    @Test
    void seesWhetherItIsStoppedAndWhatBecomesOfSigquit() {
        assertThat(ProcessStatus.parse(TEXT))
                .returns(true, ProcessStatus::isStopped)
                .returns(true, ProcessStatus::catchesQuit)
                .returns(false, ProcessStatus::hasQuitPending);
        String other = TEXT.replace("T (stopped)", "S (sleeping)").replace("0004\n", "fffb\n");
        assertThat(ProcessStatus.parse(other + "ShdPnd:\t0000000000000004\n"))
                .returns(false, ProcessStatus::isStopped)
                .returns(false, ProcessStatus::catchesQuit)
                .returns(true, ProcessStatus::hasQuitPending);
        assertThat(ProcessStatus.parse(TEXT.replace("T (stopped)", "t (tracing stop)")))
                .returns(true, ProcessStatus::isStopped);
    }
}
