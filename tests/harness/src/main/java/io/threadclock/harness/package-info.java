// SPDX-License-Identifier: Apache-2.0
/**
 * The common parts of the drivers and the tests of child JVMs: finding JDKs, running child JVMs that never outlive
 * their parent, progress, tables, the blocks of generated text in the documents, and the facts of the machine.
 */
package io.threadclock.harness;
