// SPDX-License-Identifier: Apache-2.0

/** A program to examine: it prints that it is there, and waits for the end of its input. */
public final class Waiting {
    private Waiting() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("ready");
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(42);
    }
}
