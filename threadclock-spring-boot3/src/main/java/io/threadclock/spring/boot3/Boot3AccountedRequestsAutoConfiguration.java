// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring.boot3;

import io.threadclock.VirtualThreads;
import java.util.concurrent.ThreadFactory;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Has the virtual threads of Tomcat's requests accounted in Spring Boot 3. Spring Boot 3 ships {@link
 * ConfigurableTomcatWebServerFactory} even without Tomcat, so the condition also names a class of Tomcat.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnClass({ConfigurableTomcatWebServerFactory.class, ProtocolHandler.class})
@ConditionalOnProperty("spring.threads.virtual.enabled")
@ConditionalOnProperty(
        name = {"threadclock.enabled", "threadclock.virtual-threads.enabled"},
        matchIfMissing = true)
public class Boot3AccountedRequestsAutoConfiguration {
    /** Spring creates it. */
    public Boot3AccountedRequestsAutoConfiguration() {}

    /** After Spring Boot's own customizer, which has an order. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> threadClockRequests() {
        return tomcat -> {
            if (VirtualThreads.areAccountable()) {
                ThreadFactory threads = VirtualThreads.factory("tomcat-handler-");
                tomcat.addProtocolHandlerCustomizers(handler ->
                        handler.setExecutor(task -> threads.newThread(task).start()));
            }
        };
    }
}
