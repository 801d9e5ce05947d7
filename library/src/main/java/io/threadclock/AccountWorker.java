// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/** A worker of a fork-join pool whose whole life is a part of an account. */
final class AccountWorker extends ForkJoinWorkerThread {
    private final CpuAccount account;

    /** Null before the start. */
    private CpuAccount.Part life;

    AccountWorker(ForkJoinPool pool, CpuAccount account) {
        super(pool);
        this.account = account;
    }

    CpuAccount account() {
        return account;
    }

    @Override
    protected void onStart() {
        super.onStart();
        life = account.enter();
    }

    @Override
    protected void onTermination(Throwable failure) {
        if (life != null) {
            life.close();
        }
        super.onTermination(failure);
    }
}
