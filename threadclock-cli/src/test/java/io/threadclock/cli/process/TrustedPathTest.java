// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedPathTest {
    private static final Path FILE = Path.of("/opt/lib.so");
    private static final int NOBODY = 65534;

    @TempDir
    Path root;

    private int owner;

    @BeforeEach
    void createFile() throws IOException {
        Files.writeString(Files.createDirectory(root.resolve("opt")).resolve("lib.so"), "");
        owner = (Integer) Files.getAttribute(root, "unix:uid");
        mode("", 0755);
        mode("opt", 0755);
        mode("opt/lib.so", 0644);
    }

    @Test
    void whatItsUsersAloneCanWriteIsSafe() {
        assertThat(new TrustedPath(root, Set.of(owner)).doubt(FILE)).isEmpty();
    }

    @Test
    void anotherOwnerIsNamed() {
        assertThat(new TrustedPath(root, Set.of(owner + 1)).doubt(FILE)).hasValue("/opt belongs to user " + owner);
    }

    @Test
    void aFileOrFolderThatEverybodyMayWriteIsNamed() throws IOException {
        mode("opt/lib.so", 0646);
        assertThat(doubt()).isEqualTo("everybody may write to /opt/lib.so");
        mode("opt", 0757);
        assertThat(doubt()).isEqualTo("everybody may write to /opt");
    }

    @Test
    void inAFolderLikeTmpWhatIsThereIsItsOwners() throws IOException {
        mode("opt", 01777);
        assertThat(new TrustedPath(root, Set.of(owner)).doubt(FILE)).isEmpty();
        Files.delete(root.resolve("opt/lib.so"));
        assertThat(doubt()).as("it may come to be there").isEqualTo("everybody may write to /opt");
    }

    @Test
    void norMayAGroupPutItThere() throws IOException {
        mode("opt", 01775);
        int group = (Integer) Files.getAttribute(root.resolve("opt"), "unix:gid");
        Assumptions.assumeTrue(
                owner == 0 || group != 0 && group != owner, "the group is its owner's alone, and cannot be changed");
        if (owner == 0) {
            Files.setAttribute(root.resolve("opt"), "unix:gid", NOBODY);
        }
        assertThat(new TrustedPath(root, Set.of(owner)).doubt(FILE)).isEmpty();
        Files.delete(root.resolve("opt/lib.so"));
        assertThat(doubt()).startsWith("group ").endsWith(" may write to /opt");
    }

    @Test
    void whereOthersCannotWriteNothingComesToBe() {
        assertThat(new TrustedPath(root, Set.of(owner)).doubt(Path.of("/opt/none.so")))
                .isEmpty();
        assertThat(new TrustedPath(root, Set.of(owner)).doubt(Path.of("/opt/none/none.so")))
                .isPresent();
    }

    @Test
    void aGroupIsTrustedWhereItIsRootsOrItsOwnersAlone() throws IOException {
        Files.setAttribute(root.resolve("opt/lib.so"), "unix:mode", 0664);
        int group = (Integer) Files.getAttribute(root.resolve("opt/lib.so"), "unix:gid");
        if (group == 0 || group == owner) {
            assertThat(new TrustedPath(root, Set.of(owner)).doubt(FILE)).isEmpty();
        } else {
            assertThat(doubt()).isEqualTo("group " + group + " may write to /opt/lib.so");
        }
        if (owner == 0) {
            Files.setAttribute(root.resolve("opt/lib.so"), "unix:gid", NOBODY);
            assertThat(doubt()).isEqualTo("group " + NOBODY + " may write to /opt/lib.so");
        }
    }

    @Test
    void aLinkIsNoPlace() throws IOException {
        Files.move(root.resolve("opt"), root.resolve("other"));
        Files.createSymbolicLink(root.resolve("opt"), Path.of("other"));
        assertThat(doubt()).isEqualTo("/opt is no folder");
    }

    private String doubt() {
        return new TrustedPath(root, Set.of(owner)).doubt(FILE).orElse("none");
    }

    private void mode(String name, int mode) throws IOException {
        Files.setAttribute(root.resolve(name), "unix:mode", mode);
    }
}
