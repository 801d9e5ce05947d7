// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.Bootstrap;
import io.questdb.PropBootstrapConfiguration;
import io.questdb.ServerMain;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * QuestDB's own web console for a recording. It is read-only, and listens only on the loopback interface. Every path
 * begins with a token, which only the user who has started it knows; other users of this machine, and web pages, find
 * nothing there. Its files are in a directory of their own, which is removed at the end.
 */
public final class Console implements AutoCloseable {
    private static final int TOKEN_BYTES = 16;

    private final ServerMain server;
    private final Path scratch;
    private final String context;

    private Console(ServerMain server, Path scratch, String context) {
        this.server = server;
        this.scratch = scratch;
        this.context = context;
    }

    /**
     * @param port 0 for any free port
     * @throws StoreFailure if there is nothing to show, or the port is in use
     */
    public static Console open(Path directory, int port) {
        QuestDbEngine.reading(directory).close();
        String context = "/" + token();
        return start("serving " + directory, conf(directory, port, context), new ConsoleGuard(), context);
    }

    /** An empty server that may be written to, and is removed at the end. */
    public static Console scratch() {
        return start("starting QuestDB", usual(0), new PropBootstrapConfiguration(), "");
    }

    private static String token() {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        return HexFormat.of().formatHex(token);
    }

    private static Console start(
            String tried, List<String> conf, PropBootstrapConfiguration bootstrap, String context) {
        QuestDbEngine.load(QuestDbLibraries.temporary());
        try {
            Path scratch = Files.createTempDirectory(QuestDbLibraries.temporary(), "threadclock-console");
            Files.write(Files.createDirectories(scratch.resolve("conf")).resolve("server.conf"), conf);
            ServerMain server =
                    new ServerMain(new Bootstrap(bootstrap, Bootstrap.getServerMainArgs(scratch.toString())));
            server.start();
            return new Console(server, scratch, context);
        } catch (IOException failure) {
            throw new StoreFailure(tried, failure.toString(), "Name another folder for its files by --tmp=FOLDER.");
        } catch (RuntimeException refused) {
            String answer = String.valueOf(refused.getMessage());
            throw new StoreFailure(tried, answer, "Name another port by --serve=PORT.");
        }
    }

    private static List<String> conf(Path directory, int port, String context) {
        List<String> conf = new ArrayList<>(usual(port));
        conf.add("cairo.root=" + QuestDbEngine.database(directory.toAbsolutePath()));
        conf.add("readonly=true");
        conf.add("http.context.web.console=" + context);
        conf.add("line.http.enabled=false");
        return conf;
    }

    private static List<String> usual(int port) {
        return List.of(
                "http.bind.to=127.0.0.1:" + port,
                "http.min.enabled=false",
                "pg.enabled=false",
                "line.tcp.enabled=false",
                "line.udp.enabled=false",
                "telemetry.enabled=false",
                "telemetry.disable.completely=true",
                "config.reload.enabled=false",
                "cairo.mat.view.enabled=false",
                "http.worker.count=1",
                "shared.worker.count=1");
    }

    public int port() {
        return server.getHttpServerPort();
    }

    /** Not the shorter address: QuestDB redirects from there, and then keeps a client that is not a browser waiting. */
    public URI page() {
        return URI.create("http://127.0.0.1:" + port() + context + "/index.html");
    }

    /** Returns when what was written to this table can be read. */
    public void awaitTable(String table) {
        server.getEngine().awaitTable(table, 3, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        QuestDbEngine.inSilence(server::close);
        try (Stream<Path> files = Files.walk(scratch)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException gone) {
            return;
        }
    }
}
