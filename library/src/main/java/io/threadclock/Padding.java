// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * Keeps what one thread writes all the time away from what other threads write: HotSpot lays the fields of a class
 * behind those of its superclass, so 64 bytes, a line of the cache on x86_64 and aarch64, lie before them.
 */
abstract class Padding {
    long padding0;
    long padding1;
    long padding2;
    long padding3;
    long padding4;
    long padding5;
    long padding6;
    long padding7;
}
