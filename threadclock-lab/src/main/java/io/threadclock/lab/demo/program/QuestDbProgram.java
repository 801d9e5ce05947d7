// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.Message;
import io.threadclock.lab.demo.message.PhaseRequest;
import io.threadclock.lab.demo.message.PhaseResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/**
 * The program under measurement: starts a QuestDB server, ingests a history of trades, says {@code @ready}, and then
 * does what its standard input asks for until that ends. Nothing in it knows of threadclock.
 *
 * <p>Arguments: the directory for the server's files, and the number of rows to ingest.
 */
public final class QuestDbProgram {
    public static final String READY = "ready";
    /** Field of the ready message: the rows that can be queried by then. */
    public static final String ROWS = "rows";

    private final TradeStore store;
    /** One for each worker that there has ever been: queries are compiled and connections opened once. */
    private final List<TradeClient> clients = new ArrayList<>();

    private QuestDbProgram(TradeStore store) {
        this.store = store;
    }

    public static void main(String[] arguments) throws Exception {
        try (TradeStore store = TradeStore.start(Path.of(arguments[0]))) {
            store.ingestHistory(Integer.parseInt(arguments[1]));
            QuestDbProgram program = new QuestDbProgram(store);
            System.out.println(new Message(READY).with(ROWS, TradeQueries.count(store.engine())));
            program.serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            program.closeClients();
        }
    }

    /** Ends with the input: when the driver closes it, or is gone. */
    private void serve(BufferedReader requests) throws Exception {
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            Optional<Message> message = Message.parse(line);
            if (message.isPresent() && message.get().kind().equals(PhaseRequest.KIND)) {
                System.out.println(run(PhaseRequest.of(message.get())).toMessage());
            }
        }
    }

    /** New threads for each phase: their times begin at zero. */
    private PhaseResult run(PhaseRequest request) throws Exception {
        while (clients.size() < request.workers()) {
            clients.add(new TradeClient(store, clients.size()));
        }
        CyclicBarrier start = new CyclicBarrier(request.workers());
        List<FutureTask<PhaseResult>> tasks = new ArrayList<>();
        for (int i = 0; i < request.workers(); i++) {
            FutureTask<PhaseResult> task = new FutureTask<>(new Worker(clients.get(i), request, start));
            tasks.add(task);
            new Thread(task, "worker-" + i).start();
        }
        PhaseResult all = PhaseResult.empty();
        for (FutureTask<PhaseResult> task : tasks) {
            all = all.beside(task.get());
        }
        return all;
    }

    private void closeClients() throws IOException {
        for (TradeClient client : clients) {
            client.close();
        }
    }
}
