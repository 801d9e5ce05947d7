// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.threadclock.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Has the virtual threads of {@code spring.threads.virtual.enabled} measured, so that they can be read: those of
 * Tomcat's and Jetty's requests, of {@code applicationTaskExecutor}, and of scheduled tasks. They keep the names that
 * Spring Boot gives them. Where virtual threads cannot be measured ({@link VirtualThreads#areMeasurable()}), Spring
 * Boot's own stay.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnProperty("spring.threads.virtual.enabled")
@ConditionalOnProperty(
        name = {"threadclock.enabled", "threadclock.virtual-threads.enabled"},
        matchIfMissing = true)
public class MeasuredThreadsAutoConfiguration {
    /** Spring creates it. */
    public MeasuredThreadsAutoConfiguration() {}

    /** A customizer would also concern executors for which the program wants platform threads. */
    @Bean
    static BeanPostProcessor threadClockTasks(ConfigurableListableBeanFactory beans) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof SimpleAsyncTaskExecutor executor
                        && SpringBootBeans.isAutoConfigured(beans, name)
                        && VirtualThreads.areMeasurable()) {
                    executor.setVirtualThreads(false);
                    executor.setThreadFactory(numbered(executor.getThreadNamePrefix()));
                }
                return bean;
            }
        };
    }

    /** From 1 on, as Spring numbers them. */
    private static ThreadFactory numbered(String prefix) {
        ThreadFactory threads = VirtualThreads.factory();
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = threads.newThread(task);
            thread.setName(prefix + number.incrementAndGet());
            return thread;
        };
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurableTomcatWebServerFactory.class)
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
