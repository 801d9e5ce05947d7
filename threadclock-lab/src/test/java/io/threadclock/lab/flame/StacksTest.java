// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.flame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StacksTest {
    private static final String CALL = "EngineProgram.work;sun/management/ThreadImpl.getCurrentThreadUserTime;"
            + "sun/management/ThreadImpl.getThreadUserCpuTime0;";
    private static final String STOCK = CALL + "slow_thread_cpu_time;";
    private static final String IN_KERNEL = ";entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];";

    @Test
    void saysHowMuchOfTheWorkIsInSystemCallsOfUserTime() {
        Stacks stacks = Stacks.parse(List.of(
                STOCK + "fread;__GI_read" + IN_KERNEL + "ksys_read_[k];seq_read_[k];do_task_stat_[k] 30",
                STOCK + "__GI___isoc99_sscanf;__vfscanf_internal 10",
                "EngineProgram.work;TradeClient.work;Java_write" + IN_KERNEL + "ksys_write_[k] 20",
                "EngineProgram.work;TradeClient.work 40"));
        assertThat(stacks.samples()).isEqualTo(100);
        assertThat(stacks.systemCallShare()).isEqualTo(0.3);
        assertThat(stacks.userTimeShare()).isEqualTo(0.4);
        assertThat(stacks.procShare()).isEqualTo(0.4);
    }

    @Test
    void doesNotTakeAnInterruptForASystemCall() {
        Stacks stacks = Stacks.parse(
                List.of(CALL + "tclk_thread_user_time;asm_sysvec_apic_timer_interrupt_[k];irqentry_exit_[k] 1"));
        assertThat(stacks.hasKernelFrames()).isTrue();
        assertThat(stacks.systemCallShare()).isZero();
        assertThat(stacks.procShare()).isZero();
    }

    @Test
    void countsLibcsCallsWhereTheKernelHidesItsFrames() {
        Stacks stacks = Stacks.parse(List.of(
                STOCK + "fread;__GI__IO_file_xsgetn;__GI_read 3",
                STOCK + "__fopen_internal;__GI___libc_open 3",
                STOCK + "_IO_new_fclose;__GI__IO_file_close_it;__close_nocancel 2",
                STOCK + "fread 2"));
        assertThat(stacks.hasKernelFrames()).isFalse();
        assertThat(stacks.systemCallShare()).isEqualTo(0.8);
    }

    @Test
    void ofNothingHasNoShare() {
        assertThat(Stacks.parse(List.of()).procShare()).isZero();
    }

    @Test
    void refusesWhatIsNoStack() {
        assertThatThrownBy(() -> Stacks.parse(List.of("a;b"))).hasMessage("no stack: a;b");
    }
}
