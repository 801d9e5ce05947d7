// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

/** The data cannot be read or written. The message has three parts: what was tried, what answered, what to do. */
public final class StoreFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String tried;
    private final String answer;
    private final String remedy;

    public StoreFailure(String tried, String answer, String remedy) {
        super(tried + ": " + answer + ". " + remedy);
        this.tried = tried;
        this.answer = answer;
        this.remedy = remedy;
    }

    public String tried() {
        return tried;
    }

    public String answer() {
        return answer;
    }

    public String remedy() {
        return remedy;
    }
}
