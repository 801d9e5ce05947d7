// SPDX-License-Identifier: Apache-2.0
/** What the starter for Spring Boot needs of Spring Boot 3. */
module io.threadclock.spring.boot3 {
    requires io.threadclock;
    requires spring.boot.autoconfigure;
    requires static org.apache.tomcat.embed.core; // a program has one of the servers
    requires static org.eclipse.jetty.util;
    requires static org.jspecify; // annotations

    opens io.threadclock.spring.boot3; // to Spring, which makes the beans
}
