// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The common name of the threads of one pool. Meters, {@code top} and {@code record} use this one rule, so that a pool
 * has the same name in all of them, and after a restart.
 *
 * @since 0.1
 */
public final class PoolName {
    private static final char ANY = '*';
    /**
     * Longer names are cut, so that a program that puts a statement into its threads' names has labels of some length.
     */
    private static final int LONGEST = 128;
    /**
     * Fewer hexadecimal digits may be a word. Nearly all identity hash codes have as many, and so have short commit
     * ids.
     */
    private static final int SHORTEST_HASH = 7;

    private static final String UUID = "00000000-0000-0000-0000-000000000000";
    /** The JVM's own names, whose first number is part of a word. */
    private static final String[] JVM = {"C1 ", "C2 ", "G1 "};
    /** How Tomcat's names of a connector begin; an address and a port, or a number, follow. */
    private static final String[] PROTOCOLS = {"http-", "https-", "ajp-"};

    private static final String[] ENDPOINTS = {"nio", "apr", "bio", "jsse", "openssl"};

    private PoolName() {}

    /**
     * The thread's name with {@code *} in place of everything that tells the threads of a pool, or two runs of a
     * program, apart: each number, UUID, and hash in hexadecimal (a word of 7 or more digits). A coroutine's name at
     * the end, {@code @…#n}, is left out.
     *
     * <ul>
     *   <li>{@code pool-3-thread-1} becomes {@code pool-*-thread-*}, {@code worker12} becomes {@code worker*};
     *   <li>{@code DefaultDispatcher-worker-1 @coroutine#5} becomes {@code DefaultDispatcher-worker-*};
     *   <li>{@code qtp1816747863-23} becomes {@code qtp*-*}, {@code job 7 of 9} becomes {@code job * of *};
     *   <li>{@code worker-1b6d3586} becomes {@code worker-*}, and so does
     *       {@code worker-550e8400-e29b-41d4-a716-446655440000}.
     * </ul>
     *
     * <p>Two kinds of numbers are part of a pool's name: those of {@code C1}, {@code C2} and {@code G1} at the
     * beginning of the JVM's names, and the address and port of Tomcat's connectors. {@code http-nio-8080-exec-12}
     * becomes {@code http-nio-8080-exec-*}, and {@code http-nio-8080-Poller} stays. Only ASCII digits count. The result
     * has at most 128 characters.
     *
     * <p>Thread-safe. Scans the name a few times; allocates nothing if it has no digit and is no longer than that.
     *
     * @param threadName a thread's name, {@code ""} too
     * @return the pool's name; {@code threadName} itself if nothing in it is replaced
     */
    public static String of(String threadName) {
        if (threadName.length() <= LONGEST && !hasDigit(threadName)) {
            return threadName;
        }
        int end = withoutCoroutine(threadName);
        int at = fixed(threadName, end);
        StringBuilder pool = new StringBuilder(end).append(threadName, 0, at);
        while (at < end) {
            at = isUuid(threadName, at, end) ? star(pool, at + UUID.length()) : word(pool, threadName, at, end);
        }
        cut(pool);
        return threadName.contentEquals(pool) ? threadName : pool.toString();
    }

    /** The end of the thread's own name. Kotlin appends the coroutine that runs: {@code @coroutine#5}. */
    private static int withoutCoroutine(String name) {
        int number = lastNumber(name, name.length());
        int at = number < name.length() && number > 0 && name.charAt(number - 1) == '#' ? name.lastIndexOf('@') : -1;
        while (at > 0 && name.charAt(at - 1) == ' ') {
            at--;
        }
        return at > 0 ? at : name.length();
    }

    /** The end of what is kept as it is: a connector has no more numbers of its own than the one at the end. */
    private static int fixed(String name, int end) {
        if (startsWithAny(name, JVM, 0)) {
            return 2;
        }
        for (String protocol : PROTOCOLS) {
            if (name.startsWith(protocol) && startsWithAny(name, ENDPOINTS, protocol.length())) {
                return lastNumber(name, end);
            }
        }
        return 0;
    }

    private static boolean startsWithAny(String name, String[] beginnings, int at) {
        for (String beginning : beginnings) {
            if (name.startsWith(beginning, at)) {
                return true;
            }
        }
        return false;
    }

    /** The begin of the number that ends there; {@code end} if there is none. */
    private static int lastNumber(String name, int end) {
        int begin = end;
        while (begin > 0 && isDigit(name.charAt(begin - 1))) {
            begin--;
        }
        return begin;
    }

    /** Appends the word that begins here, or the character that separates two words. Returns its end. */
    private static int word(StringBuilder pool, String name, int begin, int end) {
        int after = begin;
        boolean isHex = true;
        boolean hasDigit = false;
        while (after < end && isWord(name.charAt(after))) {
            isHex &= isHex(name.charAt(after));
            hasDigit |= isDigit(name.charAt(after));
            after++;
        }
        if (after == begin) {
            pool.append(name.charAt(begin));
            return begin + 1;
        }
        if (isHex && hasDigit && after - begin >= SHORTEST_HASH) {
            return star(pool, after);
        }
        for (int i = begin; i < after; i++) {
            if (!isDigit(name.charAt(i))) {
                pool.append(name.charAt(i));
            } else if (i == begin || !isDigit(name.charAt(i - 1))) {
                pool.append(ANY);
            }
        }
        return after;
    }

    private static int star(StringBuilder pool, int end) {
        pool.append(ANY);
        return end;
    }

    /** Whether a UUID is there, as a word of its own. */
    private static boolean isUuid(String name, int begin, int limit) {
        int end = begin + UUID.length();
        if (end > limit || begin > 0 && isWord(name.charAt(begin - 1)) || end < limit && isWord(name.charAt(end))) {
            return false;
        }
        for (int i = 0; i < UUID.length(); i++) {
            boolean isDash = UUID.charAt(i) == '-';
            if (isDash ? name.charAt(begin + i) != '-' : !isHex(name.charAt(begin + i))) {
                return false;
            }
        }
        return true;
    }

    private static void cut(StringBuilder pool) {
        if (pool.length() > LONGEST) {
            pool.setLength(Character.isHighSurrogate(pool.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST);
        }
    }

    /**
     * The beginning of a name before the number that ends it, if names that differ from it in that number alone are
     * certainly of its pool; {@code ""} if not. They are not if a number of some length makes it a hash or a UUID.
     */
    static String beginning(String threadName) {
        int end = lastNumber(threadName, threadName.length());
        if (end == threadName.length() || end == 0) {
            return "";
        }
        char last = threadName.charAt(end - 1);
        boolean mayBeUuid = last == '-'
                && end >= UUID.lastIndexOf('-')
                && threadName.charAt(end - "-0000-".length()) == '-'
                && threadName.charAt(end - "-0000-0000-".length()) == '-';
        return isHex(last) || mayBeUuid ? "" : threadName.substring(0, end);
    }

    private static boolean hasDigit(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (isDigit(name.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWord(char letter) {
        return isDigit(letter) || letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z';
    }

    private static boolean isHex(char letter) {
        return isDigit(letter) || letter >= 'a' && letter <= 'f' || letter >= 'A' && letter <= 'F';
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }
}
