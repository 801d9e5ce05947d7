// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test over a fake /proc; the JVM there has a /tmp, which belongs to the user of this program. */
public abstract class OverFakeProc {
    @TempDir
    protected Path mount;

    protected FakeProc fake;
    protected Path tmp;
    protected int uid;

    @BeforeEach
    void makeProc() throws IOException {
        fake = new FakeProc(mount);
        tmp = fake.file("77/root/tmp");
        uid = (Integer) Files.getAttribute(tmp, "unix:uid");
    }
}
