// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A process id as the user gives it: a positive number. */
public record Pid(int number) {
    public Pid {
        if (number <= 0) {
            throw new IllegalArgumentException("a process id is positive");
        }
    }

    public static final class Converter implements ITypeConverter<Pid> {
        @Override
        public Pid convert(String text) {
            try {
                return new Pid(Integer.parseInt(text));
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException("'" + text + "' is no process id");
            }
        }
    }
}
