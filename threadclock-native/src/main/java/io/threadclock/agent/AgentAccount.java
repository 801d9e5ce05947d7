/* SPDX-License-Identifier: Apache-2.0 */
package io.threadclock.agent;

/**
 * The account of a virtual thread of a program that need not know of it: a class of the boot loader, which the changed
 * constructor of java.lang.VirtualThread calls. src/main/c/jvm/virtual_threads.h describes it; the other classes of this
 * package that it needs are the library's own, compiled once more. The library calls the public methods, by their names.
 */
public final class AgentAccount extends ThreadAccount {
    /** Raised with each change of what agent_accounts.c or the library calls here. */
    static final int PROTOCOL = 4;

    private static volatile boolean isOn;

    /** Whether a thread with an account has run since they were switched on. */
    private static boolean isProven;

    private AgentAccount(Runnable original) {
        super(original);
    }

    @Override
    CarrierClock clock() {
        return AgentClock.NATIVE;
    }

    /**
     * Sets the field of a thread that is being constructed, by which the JDK runs it. If no account can be made, the thread
     * runs without. Nothing in here is initialized for the first time: see {@link #prepare()}.
     */
    public static void set(Thread thread, Runnable original) {
        AgentClock.setRunnable(thread, of(original));
    }

    /** An account that runs this one, if accounts are on; else this one. */
    public static Runnable of(Runnable original) {
        try {
            return isOn ? new AgentAccount(original) : original;
        } catch (Throwable failed) { // no memory, no stack
            return original;
        }
    }

    static void switchOn(boolean on) {
        isProven = false;
        isOn = on;
    }

    /** Runs one mount. If the JDK cannot run the first thread, because its changed class is linked wrongly, none follows. */
    @Override
    public void run() {
        try {
            super.run();
        } catch (LinkageError failed) {
            if (!isProven) {
                isOn = false;
                giveUp();
            }
            throw failed;
        }
        if (!isProven) {
            isProven = true;
        }
    }

    private static native void giveUp();

    /**
     * Tries an account of the calling platform thread, so that all classes of it are initialized before a constructor or
     * a carrier needs one. Returns whether it has told its time.
     */
    static boolean prepare() {
        Trial trial = new Trial();
        trial.account = new AgentAccount(trial);
        trial.account.run();
        trial.account.run();
        Total total = trial.account.tell(true);
        AgentClock.NATIVE.forgetCarrier();
        return !total.isLost() && trial.hasRead && AgentClock.canSet();
    }

    @Override
    public boolean isMounted() {
        return super.isMounted();
    }

    @Override
    public long cpuTimeNs() {
        return super.cpuTimeNs();
    }

    @Override
    public long userTimeNs() {
        return super.userTimeNs();
    }

    @Override
    public long systemTimeNs() {
        return super.systemTimeNs();
    }

    /** Writes CPU, user and system time to an array of three. Returns 0, or a negative errno. */
    @Override
    public int read(long[] timesNs) {
        return super.read(timesNs);
    }

    /** Writes CPU and user time of a thread that may be mounted or not; -1 if they are lost. */
    public void tell(boolean hasEnded, long[] timesNs) {
        Total total = tell(hasEnded);
        timesNs[CarrierClock.CPU] = total.cpuNs;
        timesNs[CarrierClock.USER] = total.userNs;
    }

    /** Reads its account in each way. */
    private static final class Trial implements Runnable {
        AgentAccount account;
        boolean hasRead;

        Trial() {} // a private one would need one more class

        @Override
        public void run() {
            long[] timesNs = new long[3];
            long beforeNs = account.cpuTimeNs();
            int error = account.read(timesNs);
            account.tell(false, new long[2]);
            hasRead = error == 0 && beforeNs <= timesNs[0] && timesNs[0] <= account.cpuTimeNs();
        }
    }
}
