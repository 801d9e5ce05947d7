// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the helper replies: that something is done, or at which step it has failed.
 *
 * @param step "ok", or a step of native/src/main/c/helper
 * @param about the errno, user or other number that the step is about
 * @param file what was asked for, as the process sees it
 * @param content empty if it has not come to its end in time
 */
record HelperReply(String step, long about, Path file, Optional<byte[]> content) {
    private static final Pattern LINE = Pattern.compile("([a-z]{2,10}) (\\d{1,10})");
    private static final int NOT_PERMITTED = 1;
    private static final int MISSING = 2;
    private static final int INVALID = 22;
    private static final int NO_DESCRIPTOR = 24;
    private static final Map<Long, String> ERRORS = Map.ofEntries(
            Map.entry(1L, "Operation not permitted"),
            Map.entry(2L, "No such file or directory"),
            Map.entry(11L, "too many others wait to be accepted"),
            Map.entry(13L, "Permission denied"),
            Map.entry(17L, "File exists"),
            Map.entry(22L, "Invalid argument"),
            Map.entry(24L, "its limit of open files is too low (prlimit --nofile)"),
            Map.entry(28L, "No space left on device"),
            Map.entry(30L, "Read-only file system"),
            Map.entry(32L, "it has hung up"),
            Map.entry(75L, "its file system has no number for this user (user namespace)"),
            Map.entry(111L, "Connection refused"),
            Map.entry(122L, "Disk quota exceeded"));

    static HelperReply of(String line, Path file, Optional<byte[]> content) throws IOException {
        Matcher words = LINE.matcher(line);
        if (!words.matches()) {
            throw new IOException("what answers is no threadclock-helper of this version");
        }
        return new HelperReply(words.group(1), Long.parseLong(words.group(2)), file, content);
    }

    boolean isDone() {
        return is("ok");
    }

    boolean is(String where) {
        return step.equals(where);
    }

    /** @throws IOException with the reason why not, unless it is done */
    HelperReply orRefuse() throws IOException {
        if (!isDone()) {
            throw new IOException(reason());
        }
        return this;
    }

    private String reason() {
        Path name = file.getFileName();
        String error = ERRORS.getOrDefault(about, "error " + about);
        return switch (step) {
            case "gone" -> "it has ended";
            case "hidden" -> "the kernel does not show its root directory";
            case "rights" ->
                "the rights of its user cannot be taken, " + error
                        + (about == NOT_PERMITTED ? " (CAP_SETUID, CAP_SETGID)" : "")
                        + (about == INVALID ? " (this user namespace does not map it)" : "");
            case "folder" ->
                "its " + file.getParent()
                        + (about == NO_DESCRIPTOR
                                ? " cannot be opened, " + error
                                : " is missing, behind a link, or closed to its user");
            case "open" -> "others may replace files there";
            case "name" -> about == MISSING ? "it has no " + name : file + " in it cannot be opened, " + error;
            case "kind" -> file + " in it is no socket";
            case "user" -> file + " in it is user " + about + "'s";
            case "process" -> file + " in it is another process's, as where two containers share " + file.getParent();
            case "connect" -> file + " in it: " + error;
            case "trigger" -> "no file can be made in its " + file.getParent() + ", " + error;
            case "quit" -> "it cannot be sent SIGQUIT, " + error;
            case "silent" -> "it has not made its socket";
            default -> error;
        };
    }
}
