// SPDX-License-Identifier: Apache-2.0
package consumer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Random;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A server that knows nothing of threadclock. It asks itself for its page, prints two of the actuator's, and ends. */
@SpringBootApplication
@RestController
public class Application {
    private static final int REQUESTS = 5;

    public static void main(String[] arguments) throws Exception {
        try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, arguments)) {
            String server = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            for (int i = 0; i < REQUESTS; i++) {
                ask(server + "/orders");
            }
            System.out.println(ask(server + "/actuator/prometheus"));
            System.out.println(ask(server + "/actuator/threadclock"));
        }
    }

    @GetMapping("/orders")
    public String orders() {
        return "the last of " + new Random(1).ints(100_000).sorted().max().getAsInt();
    }

    private static String ask(String address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
