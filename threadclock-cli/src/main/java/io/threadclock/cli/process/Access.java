// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Tells what the permission bits of files let a process do. Access control lists are not checked; if they forbid more,
 * the JVM itself says so.
 */
public record Access(Target target) {
    private static final String FACTS = "unix:mode,uid,gid,isSymbolicLink";
    private static final int READ = 4;
    private static final int SEARCH = 1;
    private static final int ALL_BITS = 7;

    /** Whether the process can open the file with this path, and no link is on the way. */
    public boolean reads(Path path) {
        try {
            Path at = target.root();
            Map<String, Object> facts = Files.readAttributes(at, FACTS); // a link of the kernel's
            for (Path name : path) {
                if (!allows(facts, SEARCH)) {
                    return false;
                }
                at = at.resolve(name);
                facts = Files.readAttributes(at, FACTS, LinkOption.NOFOLLOW_LINKS);
                if ((Boolean) facts.get("isSymbolicLink")) {
                    return false;
                }
            }
            return allows(facts, READ);
        } catch (IOException missing) {
            return false;
        }
    }

    private boolean allows(Map<String, Object> attributes, int wanted) {
        if (target.status().readsEveryFile() && target.sharesUserNamespace()) {
            return true;
        }
        int mode = (Integer) attributes.get("mode");
        int shift = shift((Integer) attributes.get("uid"), (Integer) attributes.get("gid"));
        return (mode >> shift & ALL_BITS & wanted) != 0;
    }

    /** Owner, group or others: the first that applies decides. */
    private int shift(int uid, int gid) {
        ProcessStatus process = target.status();
        if (uid == process.uid()) {
            return 6;
        }
        return gid == process.gid() || process.groups().contains(gid) ? 3 : 0;
    }
}
