// SPDX-License-Identifier: Apache-2.0
/** A program of modules, from which jlink makes a Java of its own. */
module consumer {
    requires io.threadclock.jfr;
    requires static io.threadclock.micrometer; // jlink does without: Micrometer is an automatic module
}
