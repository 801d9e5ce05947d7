// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The common name of the threads of one pool, which are numbered. Meters, {@code top} and {@code record} use this one
 * rule, so that a pool has the same name in all of them.
 *
 * @since 0.1
 */
public final class PoolName {
    private static final char ANY_NUMBER = '*';

    private PoolName() {}

    /**
     * The thread's name with {@code *} in place of its last number: {@code http-nio-8080-exec-12} becomes {@code
     * http-nio-8080-exec-*}, {@code Thread-7 (idle)} becomes {@code Thread-* (idle)}, {@code worker12} becomes {@code
     * worker*}. A number that ends a word inside the name is part of that word: {@code C2 compiler} and {@code main}
     * stay as they are. A connector's port is part of the names of all its pools: {@code http-nio-8080-Poller} stays,
     * too. Only ASCII digits count. Not idempotent: the result may have a last number again.
     *
     * <p>Thread-safe. Scans the name once, from its end; allocates the result if it differs from the name.
     *
     * @param threadName a thread's name, {@code ""} too
     * @return the pool's name; the same for threads whose names differ in that number alone
     */
    public static String of(String threadName) {
        int end = threadName.length();
        while (end > 0) {
            end = endOfLastNumber(threadName, end);
            int begin = beginOfNumber(threadName, end);
            if (begin < end && isOwn(threadName, begin, end)) {
                return threadName.substring(0, begin) + ANY_NUMBER + threadName.substring(end);
            }
            end = begin;
        }
        return threadName;
    }

    /** The end of the last number before {@code limit}; 0 if there is none. */
    private static int endOfLastNumber(String name, int limit) {
        int end = limit;
        while (end > 0 && !isDigit(name.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private static int beginOfNumber(String name, int end) {
        int begin = end;
        while (begin > 0 && isDigit(name.charAt(begin - 1))) {
            begin--;
        }
        return begin;
    }

    /**
     * Whether the number numbers the thread. It does not if it ends a word that others follow, like H2, or is a port.
     */
    private static boolean isOwn(String name, int begin, int end) {
        boolean endsWord = begin > 0 && Character.isLetter(name.charAt(begin - 1));
        return end == name.length() || !endsWord && !isOfConnector(name);
    }

    /**
     * Whether Tomcat made the name. Its names begin with the connector, which has an address and a port, or a number.
     */
    private static boolean isOfConnector(String name) {
        return name.startsWith("http-") || name.startsWith("https-") || name.startsWith("ajp-");
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }
}
