// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.threadclock.ThreadClock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.test.autoconfigure.AutoConfigureMetrics;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests tests: those of a program with the starter, by Spring Boot's annotations. */
class SliceIT {
    /** A slice has what it names, and nothing of the starter. */
    @Nested
    @WebMvcTest(Prices.class)
    class OfAController {
        @Test
        void answersWithoutTheStarter(@Autowired MockMvcTester mvc, @Autowired ApplicationContext context) {
            assertThat(mvc.get().uri("/prices")).hasStatusOk().hasBodyTextEqualTo("42");
            assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("threadClock"));
        }
    }

    @Nested
    @WebMvcTest(Prices.class)
    @AutoConfigureMetrics
    @ImportAutoConfiguration({WebMvcObservationAutoConfiguration.class, ThreadClockAutoConfiguration.class})
    class OfAControllerAndMeters {
        @Test
        void measuresRequestsIfTheSliceNamesTheStarter(
                @Autowired MockMvcTester mvc, @Autowired MeterRegistry registry) {
            assertThatARequestIsMeasured(mvc, registry);
        }
    }

    @Nested
    @SpringBootTest
    @AutoConfigureMockMvc
    class OfTheProgram {
        @Test
        void measuresRequestsThatNoServerTakes(@Autowired MockMvcTester mvc, @Autowired MeterRegistry registry) {
            assertThatARequestIsMeasured(mvc, registry);
        }
    }

    private static void assertThatARequestIsMeasured(MockMvcTester mvc, MeterRegistry registry) {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        assertThat(mvc.get().uri("/prices")).hasStatusOk();
        assertThat(registry.get("http.server.requests-cpu").timer().count()).isEqualTo(1);
        assertThat(registry.get("threadclock.supported").gauge().value()).isEqualTo(1);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Prices.class)
    static class Program {}

    @RestController
    static class Prices {
        @GetMapping("/prices")
        String price() {
            return "42";
        }
    }
}
