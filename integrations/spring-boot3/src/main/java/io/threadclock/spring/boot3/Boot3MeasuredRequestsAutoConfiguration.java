// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring.boot3;

import io.threadclock.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.apache.coyote.ProtocolHandler;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.embedded.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has the virtual threads of Tomcat's and Jetty's requests measured in Spring Boot 3, which ships the factories of both
 * even without the servers, so the conditions also name a class of each server.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnProperty("spring.threads.virtual.enabled")
@ConditionalOnProperty(
        name = {"threadclock.enabled", "threadclock.virtual-threads.enabled"},
        matchIfMissing = true)
public class Boot3MeasuredRequestsAutoConfiguration {
    /** Spring creates it. */
    public Boot3MeasuredRequestsAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableTomcatWebServerFactory.class, ProtocolHandler.class})
    static class Requests {
        /** After Spring Boot's own customizer, which has an order. */
        @Bean
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> threadClockRequests() {
            return tomcat -> {
                if (VirtualThreads.areMeasurable()) {
                    Executor measured = perTask("tomcat-handler-");
                    tomcat.addProtocolHandlerCustomizers(handler -> handler.setExecutor(measured));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableJettyWebServerFactory.class, VirtualThreadPool.class})
    static class JettyRequests {
        /** Spring Boot gives Jetty such a pool. */
        @Bean
        WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> threadClockJettyRequests() {
            return jetty -> jetty.addServerCustomizers(server -> {
                if (server.getThreadPool() instanceof VirtualThreadPool pool && VirtualThreads.areMeasurable()) {
                    pool.setVirtualThreadsExecutor(perTask(pool.getName()));
                }
            });
        }
    }

    private static Executor perTask(String prefix) {
        ThreadFactory threads = VirtualThreads.factory(prefix);
        return task -> threads.newThread(task).start();
    }
}
