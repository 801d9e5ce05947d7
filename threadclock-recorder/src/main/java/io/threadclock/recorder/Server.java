// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** A QuestDB server elsewhere, as it is asked over HTTP. */
final class Server {
    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_FAILURE = 500;
    /** It was too slow, or there were too many: refusals of this moment only. */
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 429);

    private static final int MOST_OF_ANSWER = 300;

    private final Address address;
    private final HttpClient client;

    Server(Address address) {
        this.address = address;
        this.client = HttpClient.newBuilder().connectTimeout(address.timeout()).build();
    }

    /**
     * Makes the tables so that what is sent twice is there once. Where that is refused the server makes them as it likes.
     *
     * @throws IOException if there is no server, or it cannot make them now
     */
    void createTables() throws IOException, InterruptedException {
        for (Table table : Table.values()) {
            ask(table.toServerSql(address.prefix()));
        }
    }

    /** What the server answers to a query, as JSON; or why it refuses. */
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
        if (response.statusCode() >= FIRST_REFUSAL) {
            String answer = ("HTTP " + response.statusCode() + " " + firstOf(response.body())).strip();
            throw new StoreFailure("writing to " + address, answer, "Correct --to, or the tables there.");
        }
    }

    /** QuestDB answers in one line of JSON; what stands before it may answer with a page. */
    private static String firstOf(String body) {
        return body.strip().lines().findFirst().map(line -> line.substring(0, Math.min(line.length(), MOST_OF_ANSWER))).orElse("");
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.server() + path)).timeout(address.timeout());
        address.authorization().ifPresent(authorization -> request.header("Authorization", authorization));
        return request;
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = answer(request);
        if (response.statusCode() >= FIRST_FAILURE || TRY_AGAIN.contains(response.statusCode())) {
            throw new IOException("HTTP " + response.statusCode());
        }
        return response;
    }

    /** Java says nothing of why it cannot connect. */
    private HttpResponse<String> answer(HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (HttpTimeoutException slow) {
            throw new IOException("nothing for " + address.timeout().toMillis() + " ms", slow);
        } catch (ConnectException refused) {
            boolean isUnknown = refused.getCause() != null && refused.getCause().getCause() instanceof UnresolvedAddressException
                    || refused.getCause() instanceof UnresolvedAddressException;
            throw new IOException(isUnknown ? "its name is not known" : "it cannot be connected to", refused);
        }
    }
}
