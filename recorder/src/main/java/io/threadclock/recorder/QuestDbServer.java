// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A QuestDB server, reached over HTTP. */
final class QuestDbServer {
    /** A redirect is a refusal, too. It is not followed, because the password is meant for this server only. */
    private static final int FIRST_REFUSAL = 300;

    private static final int FIRST_FAILURE = 500;
    /** The request was too slow, or there were too many: these refusals are temporary. */
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 429);
    /** Access is refused, perhaps only for now: a password is being changed, or a proxy has no server behind it. */
    private static final Set<Integer> LOCKED_OUT = Set.of(401, 403, 404, 407);

    private static final int MOST_OF_ANSWER = 300;

    private final ServerAddress address;
    private final HttpClient client;

    QuestDbServer(ServerAddress address) {
        this.address = address;
        this.client = HttpClient.newBuilder().connectTimeout(address.timeout()).build();
    }

    /** @param isOfAccess whether it may accept later what it refuses now */
    record Refusal(StoreFailure failure, boolean isOfAccess) {}

    /**
     * Creates the tables, in which a row that is sent twice exists once, and the view of names. If this is refused, the
     * server creates tables in its own way when they are written to, and has no view.
     *
     * @return whether this user has access
     * @throws IOException if there is no server, or it cannot create them now
     */
    boolean createTables() throws IOException, InterruptedException {
        for (TableSchema<?> table : TableSchema.ALL) {
            int status = get(table.toServerSql(address.prefix())).statusCode();
            if (LOCKED_OUT.contains(status)) {
                return false;
            }
        }
        get(TableSchema.namesToSql(address.prefix()));
        return true;
    }

    private HttpResponse<String> get(String sql) throws IOException, InterruptedException {
        return send(request("/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8))
                .GET()
                .build());
    }

    /**
     * @return why the server has not accepted the lines; empty if it has
     * @throws IOException if there is no server, or it cannot accept them now
     */
    Optional<Refusal> write(byte[] lines) throws IOException, InterruptedException {
        HttpResponse<String> response = send(request("/write?precision=n")
                .POST(HttpRequest.BodyPublishers.ofByteArray(lines))
                .build());
        boolean isOfAccess = LOCKED_OUT.contains(response.statusCode());
        return response.statusCode() < FIRST_REFUSAL
                ? Optional.empty()
                : Optional.of(new Refusal(failure(response), isOfAccess));
    }

    private StoreFailure failure(HttpResponse<String> response) {
        String place =
                response.headers().firstValue("Location").map(to -> " to " + to).orElse("");
        String answer = ("HTTP " + response.statusCode() + place + " " + firstOf(response.body())).strip();
        return new StoreFailure("writing to " + address, answer, "Correct --to, or the tables there.");
    }

    /** QuestDB answers with one line of JSON; a proxy may answer with a page. */
    private static String firstOf(String body) {
        return body.strip()
                .lines()
                .findFirst()
                .map(line -> line.substring(0, Math.min(line.length(), MOST_OF_ANSWER)))
                .orElse("");
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.server() + path));
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

    /** Before JDK 26, the client's own timeout of a request ends when the answer begins. */
    private HttpResponse<String> answer(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(address.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw new IOException(slow(), slow);
        } catch (ExecutionException failed) {
            throw new IOException(why(failed.getCause()), failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private String slow() {
        return "nothing for " + address.timeout().toMillis() + " ms";
    }

    /** Java does not say why it cannot connect. */
    private String why(Throwable failure) {
        if (failure instanceof HttpConnectTimeoutException) {
            return slow();
        }
        if (failure instanceof ConnectException) {
            boolean isUnknown = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                    .anyMatch(UnresolvedAddressException.class::isInstance);
            return isUnknown ? "its name is not known" : "it cannot be connected to";
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
