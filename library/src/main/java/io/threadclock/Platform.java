// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** The operating system and the processor of this JVM, as it names them. */
final class Platform {
    private final String system;
    private final String processor;

    Platform(String system, String processor) {
        this.system = system;
        this.processor = processor;
    }

    static Platform ofThisJvm() {
        return new Platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    boolean isSupported() {
        return system.equals("Linux") && !architecture().isEmpty();
    }

    /** The path of the library for this platform in the jar. */
    String directory() {
        return "linux-" + architecture();
    }

    String refusal() {
        return "Looking for the thread clock of " + system + " on " + processor
                + ": there is none. It needs Linux on x86_64 or aarch64.";
    }

    /** The kernel's name of the architecture; empty if it is not supported. */
    private String architecture() {
        switch (processor) {
            case "amd64":
            case "x86_64":
                return "x86_64";
            case "aarch64":
                return "aarch64";
            default:
                return "";
        }
    }
}
