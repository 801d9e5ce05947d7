// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    @Test
    void isWrittenAsQuestDbsClientsWriteIt() {
        ServerAddress address = parse("https::addr=db.example:9443;username=u;password=p;buffer_mb=2;table_prefix=x_;");
        assertThat(address.server()).hasToString("https://db.example:9443");
        assertThat(address.authorization()).hasValue("Basic dTpw");
        assertThat(address.bufferBytes()).isEqualTo(2 << 20);
        assertThat(address.prefix()).isEqualTo("x_");
        assertThat(address.flushInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(parse("http::addr=db;request_timeout=200;").timeout()).isEqualTo(Duration.ofMillis(200));
        assertThat(parse("http::addr=db;").server()).hasToString("http://db:9000");
        assertThat(parse("http::addr=[::1];").server()).hasToString("http://[::1]:9000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://db:9000",
                "tcp::addr=db:9009;",
                "http::",
                "http::addr=;",
                "http::addr=db;colour=red;",
                "http::addr=db/x;",
                "http::addr=db;buffer_mb=0;",
                "http::addr=db;request_timeout=1000000;",
                "http::addr=db;table_prefix=x y;"
            })
    void isNothingElse(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "username=u;, Basic dTpw",
        "'', Bearer t",
        "token=x;, Bearer x",
        "username=u;password=q;, Basic dTpx",
    })
    void takesWhatIsSecretFromTheEnvironmentWhereItHasNone(String settings, String authorization) {
        Map<String, String> environment = Map.of("THREADCLOCK_PASSWORD", "p", "THREADCLOCK_TOKEN", "t");
        assertThat(ServerAddress.parse("http::addr=db;" + settings, environment).authorization())
                .hasValue(authorization);
    }

    @ParameterizedTest
    @CsvSource({
        "http::addr=db;token=t;, true, true",
        "http::addr=127.0.0.1.example;username=u;password=p;, true, true",
        "https::addr=db;token=t;, true, false",
        "http::addr=localhost:9000;token=t;, true, false",
        "http::addr=127.0.0.1;token=t, true, false",
        "http::addr=127.8.8.8:1;token=t;, true, false",
        "http::addr=[::1]:9000;token=t;, true, false",
        "http::addr=db;username=u;, false, true",
        "http::addr=db;, false, false",
    })
    void knowsWhetherItShowsWhatIsSecretAndWhetherOthersOnTheWayCanReadIt(
            String text, boolean showsSecret, boolean sendsSecretInClear) {
        assertThat(ServerAddress.showsSecret(text)).isEqualTo(showsSecret);
        assertThat(parse(text).sendsSecretInClear()).isEqualTo(sendsSecretInClear);
    }

    @Test
    void neverShowsWhatIsSecret() {
        assertThat(parse("http::addr=db;token=secret;").toString()).doesNotContain("secret");
        assertThatThrownBy(() -> parse("http:addr=db;password=secret;")).hasMessageNotContaining("secret");
    }

    private static ServerAddress parse(String text) {
        return ServerAddress.parse(text, Map.of());
    }
}
