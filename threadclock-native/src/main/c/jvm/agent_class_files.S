/* SPDX-License-Identifier: Apache-2.0 */

/* The class files of io.threadclock.agent, as the Makefile has compiled them, each with its length (agent_classes.h). */
        .macro  class symbol, file
        .hidden \symbol
        .global \symbol
        .section .rodata
        .balign 4
\symbol:
        .long   2f - 1f
1:
        .incbin "\file"
2:
        .endm

        class   tclk_class_rebinding, "Rebinding.class"
        class   tclk_class_total, "Total.class"
        class   tclk_class_total_floor, "Total$Floor.class"
        class   tclk_class_total_overlap, "Total$Overlap.class"
        class   tclk_class_segment, "Segment.class"
        class   tclk_class_segment_overlapping, "Segment$Overlapping.class"
        class   tclk_class_pool_name, "PoolName.class"
        class   tclk_class_mounted_thread, "MountedThread.class"
        class   tclk_class_mounted_thread_others, "MountedThread$Others.class"
        class   tclk_class_mounted_thread_first, "MountedThread$First.class"
        class   tclk_class_virtual_pools, "VirtualPools.class"
        class   tclk_class_carrier_clock, "CarrierClock.class"
        class   tclk_class_agent_clock, "AgentClock.class"
        class   tclk_class_thread_account, "ThreadAccount.class"
        class   tclk_class_agent_account, "AgentAccount.class"
        class   tclk_class_agent_account_trial, "AgentAccount$Trial.class"
        .section .note.GNU-stack, "", %progbits
