// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.micrometer.context.ThreadLocalAccessor;
import io.threadclock.CpuAccount;

/** What docs/account.md shows for Project Reactor. */
final class AccountAccessor implements ThreadLocalAccessor<CpuAccount> {
    private final ThreadLocal<CpuAccount> accounts = new ThreadLocal<>();
    private final ThreadLocal<CpuAccount.Part> parts = new ThreadLocal<>();

    @Override
    public Object key() {
        return "cpu-account";
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
