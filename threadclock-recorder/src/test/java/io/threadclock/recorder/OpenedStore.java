// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A program that opens a database, and prints why it cannot. Arguments: the directory, a file to map, such as one with
 * musl's name, and, if it is named, the folder for temporary files.
 */
final class OpenedStore {
    private OpenedStore() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 2) {
            QuestDbLibraries.use(Path.of(arguments[2]));
        }
        try (FileChannel file = FileChannel.open(Path.of(arguments[1]))) {
            MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
            Store.open(Path.of(arguments[0]), RetentionLimits.parse("1g")).close();
            Reference.reachabilityFence(mapped);
        } catch (StoreFailure failure) {
            System.out.println(failure.answer());
        }
    }
}
