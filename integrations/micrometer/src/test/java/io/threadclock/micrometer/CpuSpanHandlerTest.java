// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import io.threadclock.AccountUsage;
import io.threadclock.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CpuSpanHandlerTest extends MeteredTest {
    private final SimpleTracer tracer = new SimpleTracer();
    private final ObservationRegistry observations = ObservationRegistry.create();

    @BeforeEach
    void trace() {
        observations.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    private void register(MeasuringHandler... handlers) {
        for (MeasuringHandler handler : handlers) {
            observations.observationConfig().observationHandler(handler);
        }
    }

    private SimpleSpan observed() {
        Observation.createNotStarted("request", observations).observe(() -> Burning.cpu(WORK_NS));
        return tracer.onlySpan();
    }

    private static long ns(SimpleSpan span, String tag) {
        return Long.parseLong(span.getTags().get(tag));
    }

    @Test
    void tellsOfASpanWhatItsScopesHaveCost() {
        register(new CpuSpanHandler());
        SimpleSpan span = observed();
        assertThat(ns(span, "threadclock.cpu.time"))
                .as("CPU ns")
                .isGreaterThanOrEqualTo(WORK_NS)
                .isEqualTo(ns(span, "threadclock.cpu.user_time") + ns(span, "threadclock.cpu.system_time"));
    }

    @Test
    void tellsWaits() {
        assertThat(tagsOf(Samples.usage(3_000, 2_000, 5_000, 7_000, 0)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "threadclock.cpu.time", "3000",
                        "threadclock.cpu.user_time", "2000",
                        "threadclock.cpu.system_time", "1000",
                        "threadclock.run_delay", "5000",
                        "threadclock.not_running", "7000"));
    }

    @Test
    void leavesOutWaitsThatAreUnknown() {
        assertThat(tagsOf(Samples.usage(3_000, 2_000, 0, 0, 1)))
                .containsKey("threadclock.cpu.time")
                .doesNotContainKeys("threadclock.run_delay", "threadclock.not_running");
    }

    private static Map<String, String> tagsOf(AccountUsage usage) {
        Observation.Context context = new Observation.Context();
        TracingContext tracing = new TracingContext();
        SimpleSpan span = new SimpleSpan();
        tracing.setSpan(span);
        context.put(TracingContext.class, tracing);
        new CpuSpanHandler().tell(context, usage);
        return span.getTags();
    }

    @Test
    void tellsNothingOfASpanWithoutAScope() {
        register(new CpuSpanHandler());
        Observation.start("request", observations).stop();
        assertThat(tracer.onlySpan().getTags()).doesNotContainKey("threadclock.cpu.time");
    }

    @Test
    void tellsEachHandlerOnceOfAnObservationHoweverOftenItIsStopped() {
        List<AccountUsage> told = new ArrayList<>();
        register(telling(told), telling(told));
        Observation observation = Observation.start("request", observations);
        for (int i = 0; i < 2; i++) {
            observation.scoped(() -> Burning.cpu(1_000));
            observation.stop();
        }
        assertThat(told).hasSize(2).allSatisfy(usage -> assertThat(usage).isSameAs(told.get(0)));
        assertThat(told.get(0).parts()).as("parts").isEqualTo(1);
    }

    private static MeasuringHandler telling(List<AccountUsage> told) {
        return new MeasuringHandler() {
            @Override
            void tell(Observation.Context context, AccountUsage usage) {
                told.add(usage);
            }
        };
    }

    @Test
    void passesObservationsThatHaveNoSpan() {
        ObservationRegistry untraced = ObservationRegistry.create();
        untraced.observationConfig().observationHandler(new CpuSpanHandler());
        Observation.createNotStarted("request", untraced).observe(() -> Burning.cpu(1_000));
        assertThat(tracer.getSpans()).isEmpty();
    }
}
