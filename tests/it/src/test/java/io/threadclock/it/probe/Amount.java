// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

/** How much of a long test this child JVM is to do: the part of Thoroughness that the laws see. */
public enum Amount {
    ALL,
    PART,
    LITTLE;

    /** The property that says it. */
    public static final String PROPERTY = "threadclock.it.amount";

    private static final Amount HERE = valueOf(System.getProperty(PROPERTY, ALL.name()));

    /** {@code little} in a brief run; else all of it on the oldest and the newest JDK, and a part on the others. */
    static int of(int all, int part, int little) {
        return HERE == LITTLE ? little : HERE == ALL ? all : part;
    }

    static boolean isLittle() {
        return HERE == LITTLE;
    }

    static int orLittle(int all, int little) {
        return of(all, all, little);
    }
}
