// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Removes from a jar the entries whose names match a pattern. The others keep their order and times. */
final class StripJar {
    /** Takes the jar and the pattern. */
    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        Pattern unwanted = Pattern.compile(arguments[1]);
        Path stripped = jar.resolveSibling(jar.getFileName() + ".new");
        try (ZipFile entries = new ZipFile(jar.toFile());
                ZipOutputStream kept = new ZipOutputStream(Files.newOutputStream(stripped))) {
            for (ZipEntry entry : Collections.list(entries.entries())) {
                if (!unwanted.matcher(entry.getName()).matches()) {
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(entry.getTimeLocal());
                    kept.putNextEntry(copy);
                    entries.getInputStream(entry).transferTo(kept);
                }
            }
        }
        Files.move(stripped, jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
}
