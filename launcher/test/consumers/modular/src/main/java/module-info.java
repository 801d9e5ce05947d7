// SPDX-License-Identifier: Apache-2.0
/** A program of modules, from which jlink makes a Java of its own. */
module consumer {
    requires io.threadclock;
}
