// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import com.fasterxml.jackson.databind.JsonNode;
import io.questdb.ServerMain;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real QuestDB in this JVM, with all its files in one folder, on a free port of the loopback interface. */
final class QuestDb implements AutoCloseable {
    private static final List<String> SERVER = List.of(
            "http.bind.to=127.0.0.1:0",
            "http.min.enabled=false",
            "pg.enabled=false",
            "line.tcp.enabled=false",
            "line.udp.enabled=false",
            "telemetry.enabled=false",
            "telemetry.disable.completely=true",
            "config.reload.enabled=false",
            "cairo.mat.view.enabled=false",
            "http.worker.count=1",
            "shared.worker.count=1",
            "wal.apply.worker.count=1");

    private static final int PATIENCE_MINUTES = 3;
    private final ServerMain server;

    QuestDb(Path folder) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.write(conf.resolve("server.conf"), SERVER);
        Path logConf = conf.resolve("log.conf");
        Files.write(
                logConf,
                List.of(
                        "writers=file",
                        "w.file.class=io.questdb.log.LogFileWriter",
                        "w.file.location=" + folder.resolve("questdb.log"),
                        "w.file.level=ERROR,CRITICAL"));
        System.setProperty("out", logConf.toString());
        server = ServerMain.create(folder.toString());
        server.start();
        server.awaitStartup();
    }

    String address() {
        return "http://127.0.0.1:" + server.getHttpServerPort();
    }

    void awaitTable(String table) {
        server.getEngine().awaitTable(table, PATIENCE_MINUTES, TimeUnit.MINUTES);
    }

    /** Returns the rows of the answer. */
    JsonNode ask(String sql) throws IOException {
        URI uri = URI.create(address() + "/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
        JsonNode answer = Shipped.JSON.readTree(uri.toURL().openStream());
        JsonNode rows = answer.get("dataset");
        if (rows == null) {
            throw new AssertionError(sql + ": " + answer);
        }
        return rows;
    }

    @Override
    public void close() {
        server.close();
    }
}
