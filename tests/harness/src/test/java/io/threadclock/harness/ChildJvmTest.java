// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ChildJvmTest {
    /** SIGTERM and not SIGINT: a shell starts background jobs with SIGINT ignored, and the JVM respects that. */
    @Test
    void isGoneWhenItsParentIsTerminated() throws InterruptedException {
        LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        try (ChildJvm parent = child(Parent.class).onStdout(lines::add).start()) {
            Optional<ProcessHandle> grandchild = ProcessHandle.of(Long.parseLong(lines.take()));
            ProcessHandle.of(parent.pid()).orElseThrow().destroy();
            parent.await();
            assertThat(grandchild.filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    private static ChildJvm.Builder child(Class<?> main) {
        return ChildJvm.on(Jdks.running()).mainClass(main);
    }

    static final class Endless {
        public static void main(String[] arguments) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    static final class Parent {
        public static void main(String[] arguments) throws IOException {
            ChildJvm child = child(Endless.class).start();
            System.out.println(child.pid());
            child.await();
        }
    }
}
