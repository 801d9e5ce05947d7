// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadKindTest {
    @ParameterizedTest
    @CsvSource({
        "GC Thread#0, false, gc",
        "G1 Main Concurrent Mark GC Thread, false, gc",
        "G1 Main Marker, false, gc",
        "GC task thread#3 (ParallelGC), false, gc",
        "ZWorkerYoung#0, false, gc",
        "Shenandoah GC T, false, gc",
        "Shenand..Thread, false, gc",
        "Shenand..eads#0, false, gc",
        "StringD..Thread, false, gc",
        "C2 CompilerThread0, true, jit",
        "C2 CompilerThre, true, jit",
        "C2 Comp..hread0, true, jit",
        "Referen..andler, true, vm",
        "Referee..andler, true, java",
        "VM Thread, false, vm",
        "VM Periodic Tas, false, vm",
        "RuntimeWorker#0, false, vm",
        "Runtime..ker#10, false, vm",
        "Safepoint Clean, false, vm",
        "Reference Handler, true, vm",
        "Attach Listener, true, vm",
        "DestroyJavaVM, true, java", // its time is that of main()
        "http-nio-8080-exec-1, true, java",
        "questdb-worker-, false, native"
    })
    void isToldByTheName(String name, boolean isJava, String kind) {
        assertThat(ThreadKind.of(name, isJava)).hasToString(kind);
    }
}
