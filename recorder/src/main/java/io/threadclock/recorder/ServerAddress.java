// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a QuestDB server, in the form of its clients: {@code http::addr=host:9000;username=…;password=…;}.
 * Beside {@code addr}, {@code username} with {@code password}, {@code token}, {@code auto_flush_interval}, and
 * {@code request_timeout}, it may have {@code table_prefix}, and {@code buffer_mb}. Secrets may come from elsewhere,
 * because every user can read the words of a command.
 *
 * @param bufferBytes how much may wait while the server does not answer
 * @param flushInterval how long samples are collected for one request
 * @param timeout of one request
 */
public record ServerAddress(
        URI server,
        Optional<String> authorization,
        String prefix,
        long bufferBytes,
        Duration flushInterval,
        Duration timeout) {
    /** The variable that may hold a password. */
    public static final String PASSWORD = "THREADCLOCK_PASSWORD";

    /** The variable that may hold a token. */
    public static final String TOKEN = "THREADCLOCK_TOKEN";

    private static final Pattern FORM = Pattern.compile("(https?)::((?:[a-z_]+=[^;]*;?)+)");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+(:\\d{1,5})?|\\[[0-9a-fA-F:]+](:\\d{1,5})?");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]");
    private static final Pattern SECRET = Pattern.compile("(?<=\\b(?:password|token)=)[^;]+");
    private static final List<String> KEYS = List.of(
            "addr auto_flush_interval buffer_mb password request_timeout table_prefix token username".split(" "));
    private static final String PORT = ":9000";
    private static final long USUAL_MB = 64;
    private static final long MOST_MB = 99_999;
    /** The default of QuestDB's own clients. */
    private static final long USUAL_FLUSH_MS = 1_000;

    private static final long USUAL_TIMEOUT_MS = 10_000;
    private static final long MOST_MS = 600_000;

    /** Whether a host is this machine, reached by itself alone; an IPv6 address is in brackets. */
    public static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host).matches();
    }

    /** Whether the text contains a password or a token. */
    public static boolean showsSecret(String text) {
        return SECRET.matcher(text).find();
    }

    /**
     * Parses an address, with its secrets. Takes {@link #PASSWORD} of these variables for a {@code username} without
     * {@code password}, or otherwise {@link #TOKEN}.
     *
     * @throws IllegalArgumentException if the address has another form
     */
    public static ServerAddress parse(String text, Map<String, String> environment) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + SECRET.matcher(text).replaceAll("…") + "' is not written as http::addr=HOST:9000;");
        }
        Map<String, String> settings = new TreeMap<>();
        for (String setting : form.group(2).split(";")) {
            String[] parts = setting.split("=", 2);
            if (!KEYS.contains(parts[0])) {
                throw new IllegalArgumentException("'" + parts[0] + "' is none of " + String.join(", ", KEYS));
            }
            settings.put(parts[0], parts[1]);
        }
        addSecrets(settings, environment);
        return of(form.group(1), settings);
    }

    private static void addSecrets(Map<String, String> settings, Map<String, String> environment) {
        boolean hasUser = settings.containsKey("username");
        String secret = environment.getOrDefault(hasUser ? PASSWORD : TOKEN, "");
        if (!secret.isEmpty() && !settings.containsKey("token")) {
            settings.putIfAbsent(hasUser ? "password" : "token", secret);
        }
    }

    /** Whether a password or a token leaves this machine without encryption. */
    public boolean sendsSecretInClear() {
        boolean isEncrypted = server.getScheme().equals("https");
        return authorization.isPresent() && !isEncrypted && !isLoopback(String.valueOf(server.getHost()));
    }

    private static ServerAddress of(String scheme, Map<String, String> settings) {
        String host = settings.getOrDefault("addr", "");
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("addr is no HOST:PORT");
        }
        String prefix = settings.getOrDefault("table_prefix", "threadclock_");
        if (!prefix.matches("[a-z0-9_]{0,40}")) {
            throw new IllegalArgumentException("table_prefix has small letters, digits and _");
        }
        String port = host.matches(".*:\\d+") ? "" : PORT;
        return new ServerAddress(
                URI.create(scheme + "://" + host + port),
                authorization(settings),
                prefix,
                number(settings, "buffer_mb", USUAL_MB, MOST_MB) << 20,
                Duration.ofMillis(number(settings, "auto_flush_interval", USUAL_FLUSH_MS, MOST_MS)),
                Duration.ofMillis(number(settings, "request_timeout", USUAL_TIMEOUT_MS, MOST_MS)));
    }

    private static long number(Map<String, String> settings, String key, long usual, long most) {
        String text = settings.getOrDefault(key, Long.toString(usual));
        if (!text.matches("[1-9]\\d{0,5}") || Long.parseLong(text) > most) {
            throw new IllegalArgumentException(key + " is a number from 1 to " + most);
        }
        return Long.parseLong(text);
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

    /** The address without its secrets. */
    @Override
    public String toString() {
        return server.toString();
    }
}
