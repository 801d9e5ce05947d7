// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.threadclock.cli.process.Documented;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusEndpointTest {
    private static PrometheusEndpoint endpoint(int port) {
        CounterSnapshot orders = CounterSnapshot.builder()
                .name("orders")
                .dataPoint(CounterDataPointSnapshot.builder().value(3).build())
                .build();
        return new PrometheusEndpoint(new InetSocketAddress("127.0.0.1", port), () -> MetricSnapshots.of(orders));
    }

    private static String answer(PrometheusEndpoint endpoint, String host) throws IOException {
        URI url = URI.create(endpoint.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            String request = "GET " + url.getPath() + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The JDK closes such connections at their deadline, which is read when the first endpoint is made. */
    @Test
    void halfRequestsKeepNobodyOut() throws IOException {
        try (PrometheusEndpoint endpoint = endpoint(0)) {
            assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isEqualTo("5");
            List<Socket> half = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                half.add(new Socket("127.0.0.1", URI.create(endpoint.url()).getPort()));
                half.get(i).getOutputStream().write("GET /metr".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(answer(endpoint, "localhost")).startsWith("HTTP/1.1 200 ");
            for (Socket socket : half) {
                socket.close();
            }
        }
    }

    /** A page in a browser whose name was bound anew to this machine names itself. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9400, 200",
        "localhost, 200",
        "[::1]:9400, 200",
        "evil.example:9400, 403",
        "127.0.0.1.evil.example, 403"
    })
    void whatThePageHasIsServedButAtALoopbackAddressNotToRequestsThatNameAnotherHost(String host, int status)
            throws IOException {
        try (PrometheusEndpoint endpoint = endpoint(0)) {
            String answer = answer(endpoint, host);
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            assertThat(answer.contains("\norders_total 3.0\n")).isEqualTo(status == 200);
        }
    }

    @Test
    void anAddressThatIsTakenIsSaid() {
        try (PrometheusEndpoint endpoint = endpoint(0)) {
            int port = URI.create(endpoint.url()).getPort();
            Documented.refused(
                    () -> endpoint(port),
                    "listening at 127.0.0.1:" + port + ": it cannot be listened at: ",
                    "Address already in use");
        }
    }
}
