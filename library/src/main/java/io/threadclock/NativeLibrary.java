// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * libthreadclock.so, loaded once for the class loader of this class: the file that the property
 * {@code threadclock.library} names; else the copy that is in the process already as the agent, so that both read one
 * clock (if another class loader has it, a copy of that), unless others than root and this user can write it; else the
 * one in the jar. The result, good or bad, is final.
 */
final class NativeLibrary {
    static final String FILE_PROPERTY = "threadclock.library";
    static final String DIRECTORY_PROPERTY = "threadclock.library.dir";
    static final String DIRECTORY_VARIABLE = "THREADCLOCK_LIBRARY_DIR";

    /**
     * A text that the native library contains; it names the functions that it has for Java, with their parameters and
     * results.
     */
    static final String PROTOCOL = "io.threadclock protocol 14";

    private final Platform platform;
    private final List<Throwable> failures = new ArrayList<>();
    private boolean isLoaded;

    private NativeLibrary(Platform platform) {
        this.platform = platform;
    }

    static NativeLibrary load() {
        NativeLibrary library = new NativeLibrary(Platform.ofThisJvm());
        library.isLoaded = library.platform.isSupported() && library.loadAny();
        return library;
    }

    boolean isLoaded() {
        return isLoaded;
    }

    /** The reason why it is not loaded and what follows from that, with a stack trace of this call. */
    ClockUnavailableException refusal(String consequence) {
        ClockUnavailableException refusal = new ClockUnavailableException(
                (platform.isSupported() ? triedAll() : platform.refusal()) + " " + consequence);
        failures.forEach(refusal::addSuppressed);
        return refusal;
    }

    /** Every throwable becomes a reason, because an exception here would make the class unusable without one. */
    private boolean loadAny() {
        try {
            return loadFirst();
        } catch (RuntimeException failed) { // a path that the locale cannot express, a security manager
            failures.add(failed);
            return false;
        }
    }

    private boolean loadFirst() {
        String named = System.getProperty(FILE_PROPERTY, "");
        if (!named.isEmpty()) {
            return loadFile(Paths.get(named).toAbsolutePath());
        }
        for (Path mapped : MappedLibraries.ofThisProcess()) {
            if (loadFile(mapped)) {
                return true;
            }
        }
        return loadFromJar();
    }

    /**
     * The JVM refuses a file that another class loader has loaded, but not a copy of that file. This is checked after
     * the attempt, because the other class loader may be loading it at this moment.
     */
    private boolean loadFile(Path file) {
        return isOfThisVersion(file)
                && (isTaken(file, file.toString()) || MappedLibraries.has(file) && loadCopyOf(file));
    }

    private boolean loadCopyOf(Path file) {
        return loadCopy(file.toString(), () -> Files.newInputStream(file));
    }

    private boolean loadFromJar() {
        String resource = "/META-INF/native/" + platform.directory() + "/libthreadclock.so";
        return loadCopy(resource + " of the jar", () -> {
            InputStream bytes = NativeLibrary.class.getResourceAsStream(resource);
            if (bytes == null) {
                throw new IOException("the jar has no " + resource);
            }
            return bytes;
        });
    }

    private boolean loadCopy(String original, Source source) {
        String named = namedDirectory();
        Path parent = Paths.get(named.isEmpty() ? System.getProperty("java.io.tmpdir") : named)
                .toAbsolutePath();
        try (InputStream bytes = source.open();
                PrivateCopy copy =
                        named.isEmpty() ? PrivateCopy.keptIn(parent, bytes) : PrivateCopy.of(bytes, parent)) {
            return isTaken(copy.file(), "a copy in " + parent + " of " + original);
        } catch (IOException | RuntimeException failed) {
            failures.add(new IOException("copying " + original + " to " + parent + ": " + failed, failed));
            return false;
        }
    }

    /**
     * Searches the file before it is loaded, because afterwards the JVM would link methods to it, whatever they mean
     * there. If the agent is of another version, it stays, and the clock comes from the library in the jar.
     */
    private boolean isOfThisVersion(Path file) {
        try {
            String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            if (bytes.contains(PROTOCOL)) {
                return true;
            }
            failures.add(new IOException(
                    "loading " + file + ": it is another version's (\"" + PROTOCOL + "\" is not in it)"));
        } catch (IOException | RuntimeException unreadable) {
            failures.add(new IOException("reading " + file + ": " + unreadable, unreadable));
        }
        return false;
    }

    private boolean isTaken(Path file, String description) {
        try {
            System.load(file.toString());
            return true;
        } catch (UnsatisfiedLinkError | RuntimeException refused) { // security, or native access that is denied
            failures.add(new IOException("loading " + description + ": " + refused.getMessage(), refused));
            return false;
        }
    }

    /** The user who names a file knows who else can write there. Empty if no file is named. */
    private static String namedDirectory() {
        String named = System.getProperty(DIRECTORY_PROPERTY, "");
        if (named.isEmpty()) {
            String variable = System.getenv(DIRECTORY_VARIABLE);
            named = variable == null ? "" : variable;
        }
        return named;
    }

    private String triedAll() {
        StringBuilder text = new StringBuilder("No libthreadclock.so could be loaded. Tried:");
        for (Throwable failure : failures) {
            text.append(' ').append(failure.getMessage()).append(';');
        }
        text.append(" name a directory that is writable and not mounted noexec in -D" + DIRECTORY_PROPERTY);
        return text.append(" or " + DIRECTORY_VARIABLE + ", or the file itself in -D" + FILE_PROPERTY + ".")
                .toString();
    }

    private interface Source {
        InputStream open() throws IOException;
    }
}
