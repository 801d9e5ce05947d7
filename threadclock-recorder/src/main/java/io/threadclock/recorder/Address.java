// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A QuestDB server, written as its clients write it: {@code http::addr=host:9000;username=…;password=…;}. Beside
 * {@code addr}, {@code username} with {@code password}, and {@code token}, it may have {@code table_prefix}, and
 * {@code buffer_mb}.
 */
public record Address(URI server, Optional<String> authorization, String prefix, long bufferBytes) {
    private static final Pattern FORM = Pattern.compile("(https?)::((?:[a-z_]+=[^;]*;?)+)");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+(:\\d{1,5})?|\\[[0-9a-fA-F:]+](:\\d{1,5})?");
    private static final Set<String> KEYS = Set.of("addr", "username", "password", "token", "table_prefix", "buffer_mb");
    private static final String PORT = ":9000";
    private static final long USUAL_MB = 64;

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** @throws IllegalArgumentException if it is written otherwise */
    public static Address parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw wrong("'" + withoutSecrets(text) + "' is not written as http::addr=HOST:9000;");
        }
        Map<String, String> settings = new TreeMap<>();
        for (String setting : form.group(2).split(";")) {
            String[] parts = setting.split("=", 2);
            if (!KEYS.contains(parts[0])) {
                throw wrong("'" + parts[0] + "' is none of " + String.join(", ", KEYS.stream().sorted().toList()));
            }
            settings.put(parts[0], parts[1]);
        }
        return of(form.group(1), settings);
    }

    private static Address of(String scheme, Map<String, String> settings) {
        String host = settings.getOrDefault("addr", "");
        if (!HOST.matcher(host).matches()) {
            throw wrong("addr is no HOST:PORT");
        }
        String prefix = settings.getOrDefault("table_prefix", "threadclock_");
        String buffer = settings.getOrDefault("buffer_mb", Long.toString(USUAL_MB));
        if (!prefix.matches("[a-z0-9_]{0,40}") || !buffer.matches("[1-9]\\d{0,4}")) {
            throw wrong("table_prefix has small letters, digits and _; buffer_mb is a number from 1 to 99999");
        }
        String port = host.matches(".*:\\d+") ? "" : PORT;
        return new Address(URI.create(scheme + "://" + host + port), authorization(settings), prefix, Long.parseLong(buffer) << 20);
    }

    private static Optional<String> authorization(Map<String, String> settings) {
        if (settings.containsKey("token")) {
            return Optional.of("Bearer " + settings.get("token"));
        }
        if (!settings.containsKey("username")) {
            return Optional.empty();
        }
        String pair = settings.get("username") + ":" + settings.getOrDefault("password", "");
        return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    private static String withoutSecrets(String text) {
        return text.replaceAll("(password|token)=[^;]*", "$1=…");
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(why);
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return server.toString();
    }
}
