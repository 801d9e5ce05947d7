// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import io.threadclock.CpuAccount;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Tells what a request costs that Project Reactor moves from thread to thread, while another one uses the same threads: the
 * request's account is in Reactor's context, and a thread has a part of it for as long as it works in this context.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.ReactorCost</pre>
 */
public final class ReactorCost {
    private static final String KEY = "cpu-account";
    private static final int STEPS_AT_ONCE = 4;

    private ReactorCost() {}

    public static void main(String[] arguments) {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new AccountAccessor());
        Hooks.enableAutomaticContextPropagation();
        Scheduler threads = Schedulers.newParallel("steps", 2);
        try {
            for (String name : new String[] {"the first request", "the second request"}) {
                CpuAccount account = new CpuAccount();
                MeasuredSteps steps = new MeasuredSteps();
                Mono<Long> measured = request(steps, threads).contextWrite(context -> context.put(KEY, account));
                Mono.zip(measured, request(new MeasuredSteps(), threads)).block();
                steps.print(name, account);
            }
        } finally {
            threads.dispose();
        }
    }

    private static Mono<Long> request(MeasuredSteps steps, Scheduler threads) {
        Mono<Long> one = Mono.fromCallable(steps::step).subscribeOn(threads);
        return one.delayElement(Duration.ofMillis(1)) // goes on in a thread of Reactor's own
                .flatMapMany(sum -> Flux.range(0, STEPS_AT_ONCE).flatMap(i -> one))
                .publishOn(threads)
                .map(sum -> sum + steps.step())
                .reduce(Long::sum);
    }

    /** Begins a part when a thread gets a context with an account, and ends it when the thread loses it. */
    private static final class AccountAccessor implements ThreadLocalAccessor<CpuAccount> {
        private final ThreadLocal<CpuAccount> accounts = new ThreadLocal<>();
        private final ThreadLocal<CpuAccount.Part> parts = new ThreadLocal<>();

        @Override
        public Object key() {
            return KEY;
        }

        @Override
        public CpuAccount getValue() {
            return accounts.get();
        }

        @Override
        public void setValue(CpuAccount account) {
            setValue();
            parts.set(account.enter());
            accounts.set(account);
        }

        @Override
        public void setValue() {
            if (accounts.get() != null) {
                parts.get().close();
                parts.remove();
                accounts.remove();
            }
        }
    }
}
