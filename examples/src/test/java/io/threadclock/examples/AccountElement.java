// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.CpuAccount;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;

/** What docs/account.md shows for Kotlin's coroutines. */
final class AccountElement extends AbstractCoroutineContextElement implements ThreadContextElement<CpuAccount.Part> {
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
