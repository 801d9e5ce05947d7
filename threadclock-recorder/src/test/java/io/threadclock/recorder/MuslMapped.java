// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A program that seems to run on musl, by its mappings. It prints why it cannot open a database. Arguments: a file with
 * musl's name, and the directory.
 */
final class MuslMapped {
    private MuslMapped() {}

    public static void main(String[] arguments) throws IOException {
        try (FileChannel file = FileChannel.open(Path.of(arguments[0]))) {
            MappedByteBuffer musl = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
            Store.open(Path.of(arguments[1]), RetentionLimits.parse("1g")).close();
            Reference.reachabilityFence(musl);
        } catch (StoreFailure failure) {
            System.out.println(failure.answer());
        }
    }
}
