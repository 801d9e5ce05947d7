// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A QuestDB server elsewhere, as it is asked over HTTP. */
final class Server {
    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_FAILURE = 500;
    private static final int TOO_MANY = 429;

    private final Address address;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Address.TIMEOUT).build();

    Server(Address address) {
        this.address = address;
    }

    /**
     * Makes the tables so that what is sent twice is there once. Where that is refused the server makes them as it likes.
     *
     * @throws IOException if there is no server
     */
    void createTables() throws IOException, InterruptedException {
        for (Table table : Table.values()) {
            ask(table.toServerSql(address.prefix()));
        }
    }

    /** What the server answers to a query, as JSON. */
    String ask(String sql) throws IOException, InterruptedException {
        return send(request("/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8)).GET().build()).body();
    }

    /**
     * @throws IOException if there is no server, or it cannot take them now
     * @throws StoreFailure if it never will
     */
    void write(byte[] lines) throws IOException, InterruptedException {
        HttpResponse<String> response =
                send(request("/write?precision=n").POST(HttpRequest.BodyPublishers.ofByteArray(lines)).build());
        int status = response.statusCode();
        if (status >= FIRST_FAILURE || status == TOO_MANY) {
            throw new IOException("HTTP " + status);
        }
        if (status >= FIRST_REFUSAL) {
            String answer = "HTTP " + status + ", " + response.body().strip();
            throw new StoreFailure("writing to " + address, answer, "Correct --to, or the tables there.");
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.server() + path)).timeout(Address.TIMEOUT);
        address.authorization().ifPresent(authorization -> request.header("Authorization", authorization));
        return request;
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
