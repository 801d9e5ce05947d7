// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import io.questdb.Bootstrap;
import io.questdb.DynamicPropServerConfiguration;
import io.questdb.FactoryProviderImpl;
import io.questdb.PropBootstrapConfiguration;
import io.questdb.ServerConfiguration;
import io.questdb.cairo.security.ReadOnlySecurityContext;
import io.questdb.cairo.security.SecurityContextFactory;
import io.questdb.cutlass.http.AnonymousHttpAuthenticator;
import io.questdb.cutlass.http.HttpAuthenticatorFactory;
import io.questdb.cutlass.http.HttpRequestHeader;
import io.questdb.std.FilesFacadeImpl;
import io.questdb.std.str.DirectUtf8Sequence;
import io.questdb.std.str.Utf8String;
import io.questdb.std.str.Utf8s;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Makes a QuestDB server read-only, its settings included, and refuses requests that name another host than the
 * loopback interface: a web page whose name was bound to this machine sends its own name. The server ignores
 * environment variables.
 */
final class ConsoleGuard extends PropBootstrapConfiguration {
    private static final Utf8String HOST = new Utf8String("Host");
    private static final Pattern OWN_HOST = Pattern.compile("(127\\.0\\.0\\.1|localhost)(:\\d{1,5})?");

    @Override
    public ServerConfiguration getServerConfiguration(Bootstrap bootstrap) throws Exception {
        return new DynamicPropServerConfiguration(
                bootstrap.getRootDirectory(),
                bootstrap.loadProperties(),
                getEnv(),
                bootstrap.getLog(),
                bootstrap.getBuildInformation(),
                FilesFacadeImpl.INSTANCE,
                bootstrap.getMicrosecondClock(),
                (configuration, engine, freeOnExit) -> new Factories(configuration));
    }

    @Override
    public Map<String, String> getEnv() {
        return Map.of();
    }

    private static final class Factories extends FactoryProviderImpl {
        Factories(ServerConfiguration configuration) {
            super(configuration);
        }

        @Override
        public SecurityContextFactory getSecurityContextFactory() {
            return (principal, kind) -> ReadOnlySecurityContext.SETTINGS_READ_ONLY;
        }

        @Override
        public HttpAuthenticatorFactory getHttpAuthenticatorFactory() {
            return HostCheck::new;
        }
    }

    private static final class HostCheck extends AnonymousHttpAuthenticator {
        @Override
        public boolean authenticate(HttpRequestHeader request) {
            DirectUtf8Sequence host = request.getHeader(HOST);
            return host != null && OWN_HOST.matcher(Utf8s.toString(host)).matches();
        }
    }
}
