// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Markdown as a page: one file that needs neither a network nor another file. */
final class Page {
    /** Nothing is loaded, whatever a text in the results says: links are followed, not fetched. */
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    /** Texts of the results are no HTML. */
    private static final HtmlRenderer RENDERER = HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .escapeHtml(true)
            .sanitizeUrls(false)
            .build();

    private final String title;
    private final StringBuilder markdown;
    private final Map<String, String> images = new LinkedHashMap<>();

    Page(String title) {
        this.title = title;
        this.markdown = new StringBuilder("# " + title + "\n\n");
    }

    Page add(String part) {
        markdown.append(part);
        return this;
    }

    /** @param name by which the Markdown has it */
    Page image(String name, String svg) {
        images.put(name, svg);
        return this;
    }

    String toHtml() {
        String body = RENDERER.render(PARSER.parse(markdown.toString()))
                .replace("<table>", "<div><table>")
                .replace("</table>", "</table></div>");
        for (Map.Entry<String, String> image : images.entrySet()) {
            String bytes = Base64.getEncoder().encodeToString(image.getValue().getBytes(StandardCharsets.UTF_8));
            body = body.replace("src=\"" + image.getKey() + "\"", "src=\"data:image/svg+xml;base64," + bytes + "\"");
        }
        return """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                %s</style></head><body>
                %s</body></html>
                """
                .formatted(POLICY, title, style(), body);
    }

    /**
     * Writes the page.
     *
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    Path write(Path file) {
        WholeFile.write(file, toHtml());
        return file;
    }

    private static String style() {
        try (InputStream in = Page.class.getResourceAsStream("page.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
