/* SPDX-License-Identifier: Apache-2.0 */
package io.threadclock.boot;

/** A class of the boot loader that binds natives for the agent: src/main/c/jvm/rebinding.h says why. */
final class Rebinding {
    private Rebinding() {}

    static int rebind() {
        return bind();
    }

    static native int bind();
}
