// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

/**
 * Something outside this program prevents what the user asked for. The message is one line in three parts: what was
 * tried, what answered, what to do. The second part is a heading of docs/troubleshooting.md.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String answer;
    private final String remedy;

    public Refusal(String tried, String answer, String remedy) {
        super(oneLine(tried + ": " + answer + ". " + remedy));
        this.answer = oneLine(answer);
        this.remedy = oneLine(remedy);
    }

    public String answer() {
        return answer;
    }

    public String remedy() {
        return remedy;
    }

    private static String oneLine(String text) {
        return Printable.line(text.strip().replaceAll("\\s*\\R\\s*", " "));
    }
}
