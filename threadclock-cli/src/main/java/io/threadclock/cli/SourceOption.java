// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.attach.SourceNames;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A source by its name, in upper or lower case. */
final class SourceOption implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        if (!SourceNames.ALL.contains(name)) {
            throw new TypeConversionException(
                    "expected one of " + SourceNames.ALL + " (case-insensitive) but was '" + text + "'");
        }
        return name;
    }

    /** The words that a shell completes. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SourceNames.ALL.iterator();
        }
    }
}
