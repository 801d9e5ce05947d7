// SPDX-License-Identifier: Apache-2.0
/** Configures programs of Spring Boot by itself. */
module io.threadclock.spring {
    requires io.threadclock.micrometer;
    requires java.logging;
    requires spring.boot.autoconfigure;
    requires static org.apache.tomcat.embed.core; // a program has one of the servers
    requires static org.eclipse.jetty.util;
    requires static org.jspecify; // annotations

    opens io.threadclock.spring; // to Spring, which makes the beans
}
