// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A text of this package's resources. */
final class PageResource {
    private final String name;

    PageResource(String name) {
        this.name = name;
    }

    String text() {
        try (InputStream in = PageResource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("Reading " + name + " of this package: it is not there. Build again.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
