// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine.program;

import io.questdb.griffin.SqlException;
import io.threadclock.lab.program.Answer;
import io.threadclock.lab.demo.program.TradeClient;
import io.threadclock.lab.demo.program.TradeStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The demo's engine: starts a QuestDB server, ingests a history of trades, and answers each {@link TurnsRequest} with
 * the {@link Turns} that it has worked.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest.
 */
public final class EngineProgram {
    private EngineProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            try (TradeClient client = new TradeClient(store, 0)) {
                EngineWorker worker = new EngineWorker(client);
                Answer.toEachLine(line -> work(worker, TurnsRequest.parse(line)).toString());
            }
        }
    }

    private static Turns work(EngineWorker worker, TurnsRequest request) {
        try {
            return worker.work(request);
        } catch (SqlException refused) {
            throw new IllegalStateException("QuestDB refused a query", refused);
        } catch (IOException broken) {
            throw new UncheckedIOException("a batch failed", broken);
        }
    }
}
