// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.threadclock.VirtualThreads;
import java.util.concurrent.ThreadFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has the virtual threads of {@code spring.threads.virtual.enabled} accounted, so that they can be read: those of Tomcat's
 * requests and of the application's task executor. They keep the names that Spring Boot gives them. Where virtual threads
 * cannot be accounted ({@link VirtualThreads#areAccountable()}), Spring Boot's own stay.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnProperty("spring.threads.virtual.enabled")
@ConditionalOnProperty(
        name = {"threadclock.enabled", "threadclock.virtual-threads.enabled"},
        matchIfMissing = true)
public class AccountedThreadsAutoConfiguration {
    /** Spring creates it. */
    public AccountedThreadsAutoConfiguration() {}

    @Bean
    SimpleAsyncTaskExecutorCustomizer threadClockTasks() {
        return executor -> {
            if (VirtualThreads.areAccountable()) {
                executor.setVirtualThreads(false);
                executor.setThreadFactory(VirtualThreads.factory(executor.getThreadNamePrefix()));
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurableTomcatWebServerFactory.class)
    static class Requests {
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
}
