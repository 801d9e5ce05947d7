// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.Helper;
import io.threadclock.cli.process.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The socket of a JVM in its own /tmp, or in the folder that it was told to use, by the protocol that HotSpot has
 * spoken since JDK 6. The JDK's own client is not safe here: it follows links that anybody has put there, and as root
 * it connects to any socket that they lead to. That of 17.0.15 looks into our /tmp even for a JVM with another root
 * directory. And HotSpot 8 answers its own user alone.
 */
public record AttachSocket(Target target) {
    /** How JVMs write text: each half of a surrogate pair by itself. */
    public static final Charset OF_JVMS = Charset.forName("CESU-8");

    private static final int ARGUMENTS = 3;
    private static final String PROTOCOL = "1";

    private static final Pattern VERSION = Pattern.compile("(.{1,100}?) version .{1,200}\\R(JDK .{1,100})");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,10}");
    private static final Pattern RETURNED = Pattern.compile("(?:return code: )?(-?\\d{1,10})");

    /** Makes the JVM load the library, by a path as the JVM sees it. Each step has this time. */
    AttachAnswer load(Duration timeout, String library, String options) {
        long beginNs = System.nanoTime();
        String version = "";
        boolean isAsked = false;
        try {
            if (!makeListen(timeout)) {
                return AttachAnswer.silent();
            }
            version = version(answer(timeout, "jcmd", "VM.version"));
            isAsked = true;
            return answered(answer(timeout, "load", library, "true", options), version, beginNs);
        } catch (Helper.Late late) {
            return isAsked ? AttachAnswer.unanswered(version, elapsedMs(beginNs)) : AttachAnswer.silent();
        } catch (IOException refused) {
            return answer(AttachAnswer.Kind.NOT_ATTACHED, refused.getMessage(), version, beginNs);
        }
    }

    /** False if it does not listen in time. */
    boolean makeListen(Duration timeout) throws IOException {
        return target.helper().listen(timeout, socket(), target.triggerName());
    }

    /**
     * Returns the JVM's answer: a line with a number, then text. If the text is too long, this is its beginning.
     *
     * @param timeout from the question to the end of the answer
     */
    public String answer(Duration timeout, String command, String... arguments) throws IOException {
        StringBuilder request =
                new StringBuilder(PROTOCOL).append('\0').append(command).append('\0');
        for (int i = 0; i < ARGUMENTS; i++) {
            request.append(i < arguments.length ? arguments[i] : "").append('\0');
        }
        ByteBuffer said = StandardCharsets.UTF_8.encode(request.toString());
        byte[] answer = target.helper().ask(timeout, socket(), said, Bounds.ANSWER_BYTES);
        return new String(answer, OF_JVMS);
    }

    private Path socket() {
        return target.tmp().resolve(target.socketName());
    }

    /**
     * After the number of the protocol, an answer is {@code return code: 0} from JDK 9 on, and the bare number before.
     * Anything else is the reason why the agent was not loaded.
     */
    static AttachAnswer answered(String answer, String version, long beginNs) {
        String text = withoutNumber(answer).strip();
        Matcher returned = RETURNED.matcher(text);
        return returned.matches()
                ? new AttachAnswer(
                        AttachAnswer.Kind.RETURNED,
                        (int) Long.parseLong(returned.group(1)),
                        "",
                        version,
                        elapsedMs(beginNs))
                : answer(AttachAnswer.Kind.NOT_LOADED, text, version, beginNs);
    }

    /** The protocol puts a line of its own before the answer. */
    private static String withoutNumber(String answer) {
        int end = answer.indexOf('\n');
        return end >= 0 && NUMBER.matcher(answer.substring(0, end)).matches() ? answer.substring(end + 1) : answer;
    }

    private static AttachAnswer answer(AttachAnswer.Kind kind, String text, String version, long beginNs) {
        return new AttachAnswer(kind, 0, text == null ? "" : text, version, elapsedMs(beginNs));
    }

    /**
     * The JVM's version and name, as jcmd VM.version has them. The text may be anything. The JVM runs no Java for this;
     * for its properties, it would: also for the date, whose class fails for ever while the JDK is away.
     */
    static String version(String answer) {
        Matcher version = VERSION.matcher(withoutNumber(answer));
        return version.lookingAt() ? version.group(2).strip() + ", " + version.group(1) : "unknown";
    }

    private static long elapsedMs(long beginNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }
}
