// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
    @Test
    void isWrittenAsQuestDbsClientsWriteIt() {
        ServerAddress address =
                ServerAddress.parse("https::addr=db.example:9443;username=u;password=p;buffer_mb=2;table_prefix=x_;");
        assertThat(address.server()).hasToString("https://db.example:9443");
        assertThat(address.authorization()).hasValue("Basic dTpw");
        assertThat(address.bufferBytes()).isEqualTo(2 << 20);
        assertThat(address.prefix()).isEqualTo("x_");
        assertThat(address.flushInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(ServerAddress.parse("http::addr=db;request_timeout=200;").timeout())
                .isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void hasQuestDbsPortUnlessToldOtherwise() {
        assertThat(ServerAddress.parse("http::addr=db;").server()).hasToString("http://db:9000");
        assertThat(ServerAddress.parse("http::addr=[::1];").server()).hasToString("http://[::1]:9000");
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
        assertThatThrownBy(() -> ServerAddress.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesWhatIsSecretFromTheEnvironmentWhereItHasNone() {
        Map<String, String> environment = Map.of("THREADCLOCK_PASSWORD", "p", "THREADCLOCK_TOKEN", "t");
        assertThat(ServerAddress.parse("http::addr=db;username=u;", environment).authorization())
                .hasValue("Basic dTpw");
        assertThat(ServerAddress.parse("http::addr=db;", environment).authorization())
                .hasValue("Bearer t");
        assertThat(ServerAddress.parse("http::addr=db;token=x;", environment).authorization())
                .hasValue("Bearer x");
        assertThat(ServerAddress.parse("http::addr=db;username=u;password=p;", Map.of("THREADCLOCK_PASSWORD", "x"))
                        .authorization())
                .hasValue("Basic dTpw");
    }

    @Test
    void knowsWhetherItShowsWhatIsSecret() {
        assertThat(ServerAddress.showsSecret("http::addr=db;username=u;password=p;"))
                .isTrue();
        assertThat(ServerAddress.showsSecret("http::addr=db;token=t")).isTrue();
        assertThat(ServerAddress.showsSecret("http::addr=db;username=u;")).isFalse();
    }

    @Test
    void knowsWhetherOthersOnTheWayCanReadWhatIsSecret() {
        assertThat(ServerAddress.parse("http::addr=db;token=t;").sendsSecretInClear())
                .isTrue();
        assertThat(ServerAddress.parse("http::addr=127.0.0.1.example;username=u;password=p;")
                        .sendsSecretInClear())
                .isTrue();
        assertThat(ServerAddress.parse("https::addr=db;token=t;").sendsSecretInClear())
                .isFalse();
        assertThat(ServerAddress.parse("http::addr=db;").sendsSecretInClear()).isFalse();
        for (String here : new String[] {"localhost:9000", "127.0.0.1", "127.8.8.8:1", "[::1]:9000"}) {
            assertThat(ServerAddress.parse("http::addr=" + here + ";token=t;").sendsSecretInClear())
                    .as(here)
                    .isFalse();
        }
    }

    @Test
    void neverShowsWhatIsSecret() {
        assertThat(ServerAddress.parse("http::addr=db;token=secret;").toString())
                .doesNotContain("secret");
        assertThatThrownBy(() -> ServerAddress.parse("http:addr=db;password=secret;"))
                .hasMessageNotContaining("secret");
    }
}
