// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A process id as the user gives it: a positive number. */
public record Pid(int number) {
    public static final class Converter implements ITypeConverter<Pid> {
        @Override
        public Pid convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return new Pid(number);
                }
            } catch (NumberFormatException noNumber) {
                throw new TypeConversionException("'" + text + "' is no process id");
            }
            throw new TypeConversionException("'" + text + "' is no process id");
        }
    }
}
