// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;

/**
 * A line for each member of the whole and for each element of its lists, so that a difference of two files can be read.
 */
final class LineForEach extends DefaultPrettyPrinter {
    private static final long serialVersionUID = 1L;
    private static final int DEEPEST_WITH_LINES = 2;

    LineForEach() {
        super(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEntrySpacing(Separators.Spacing.AFTER));
        indentArraysWith(new Indentation());
        indentObjectsWith(new Indentation());
    }

    private LineForEach(LineForEach other) {
        super(other);
    }

    /** Jackson asks for one of its own for each document: it counts how deep it is. */
    @Override
    public DefaultPrettyPrinter createInstance() {
        return new LineForEach(this);
    }

    @Override
    public void writeEndObject(JsonGenerator json, int members) throws IOException {
        writeEnd(json, members, '}');
    }

    @Override
    public void writeEndArray(JsonGenerator json, int elements) throws IOException {
        writeEnd(json, elements, ']');
    }

    /** On a line of its own where what is in it is. */
    private void writeEnd(JsonGenerator json, int inside, char end) throws IOException {
        _nesting--;
        if (inside > 0 && _nesting < DEEPEST_WITH_LINES) {
            DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.writeIndentation(json, _nesting);
        }
        json.writeRaw(end);
    }

    private static final class Indentation extends DefaultIndenter {
        private static final long serialVersionUID = 1L;

        @Override
        public void writeIndentation(JsonGenerator json, int level) throws IOException {
            if (level <= DEEPEST_WITH_LINES) {
                super.writeIndentation(json, level);
            }
        }
    }
}
