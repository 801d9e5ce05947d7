// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Tells beans that Spring Boot makes from the program's own, which may have the same names. */
final class SpringBootBeans {
    private static final String TASK_EXECUTION = "org.springframework.boot.autoconfigure.task.";

    private SpringBootBeans() {}

    /** Whether it is a bean of Spring Boot's configuration of task executors. */
    static boolean isAutoConfigured(ConfigurableListableBeanFactory beans, String name) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        String configuration = beans.getBeanDefinition(name).getFactoryBeanName();
        return configuration != null && configuration.startsWith(TASK_EXECUTION);
    }
}
