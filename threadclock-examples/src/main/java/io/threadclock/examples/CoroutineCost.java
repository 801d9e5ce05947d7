// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.CpuAccount;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.ExecutorsKt;
import kotlinx.coroutines.ThreadContextElement;

/**
 * Tells what a request costs whose Kotlin coroutines run in several threads, while another one uses the same threads: an element
 * of the coroutines' context begins a part of the request's account wherever a thread takes one of them up.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.CoroutineCost</pre>
 */
public final class CoroutineCost {
    private static final int CHILDREN = 4;

    private final MeasuredSteps steps = new MeasuredSteps();
    private final CoroutineDispatcher one;
    private final CoroutineDispatcher other;

    private CoroutineCost(ExecutorService one, ExecutorService other) {
        this.one = ExecutorsKt.from(one);
        this.other = ExecutorsKt.from(other);
    }

    public static void main(String[] arguments) throws InterruptedException {
        ExecutorService one = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (String name : new String[] {"the first request", "the second request"}) {
                CpuAccount account = new CpuAccount();
                CoroutineCost measured = new CoroutineCost(one, other);
                BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, done) -> {
                    measured.launchIn(scope, new AccountElement(account));
                    new CoroutineCost(one, other).launchIn(scope, EmptyCoroutineContext.INSTANCE);
                    return Unit.INSTANCE;
                });
                measured.steps.print(name, account);
            }
        } finally {
            one.shutdown();
            other.shutdown();
        }
    }

    /** A coroutine that hops to one thread, from there to the other and back, and its children, which run at the same time. */
    private void launchIn(CoroutineScope scope, CoroutineContext context) {
        BuildersKt.launch(scope, context, CoroutineStart.DEFAULT, (request, done) -> {
            for (int i = 0; i < CHILDREN; i++) {
                BuildersKt.launch(request, other, CoroutineStart.DEFAULT, (child, childDone) -> step());
            }
            return BuildersKt.withContext(
                    one,
                    (hop, hopDone) -> {
                        step();
                        return BuildersKt.withContext(other, (last, lastDone) -> step(), hopDone);
                    },
                    done);
        });
    }

    private Unit step() {
        steps.step();
        return Unit.INSTANCE;
    }

    /** Begins a part when a thread takes up a coroutine of the account, and ends it when the coroutine is suspended or done. */
    private static final class AccountElement extends AbstractCoroutineContextElement
            implements ThreadContextElement<CpuAccount.Part> {
        private static final CoroutineContext.Key<AccountElement> KEY = new CoroutineContext.Key<AccountElement>() {};

        private final CpuAccount account;

        AccountElement(CpuAccount account) {
            super(KEY);
            this.account = account;
        }

        @Override
        public CpuAccount.Part updateThreadContext(CoroutineContext context) {
            return account.enter();
        }

        @Override
        public void restoreThreadContext(CoroutineContext context, CpuAccount.Part part) {
            part.close();
        }
    }
}
