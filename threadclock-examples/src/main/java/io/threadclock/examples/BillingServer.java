// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.questdb.ServerConfiguration;
import io.questdb.ServerMain;
import io.questdb.cairo.CairoEngine;
import io.questdb.cutlass.Services;
import io.questdb.cutlass.http.HttpFullFatServerConfiguration;
import io.questdb.cutlass.http.HttpRequestHandler;
import io.questdb.cutlass.http.HttpServer;
import io.questdb.cutlass.http.processors.JsonQueryProcessorConfiguration;
import io.questdb.cutlass.http.processors.LineHttpProcessorImpl;
import io.questdb.cutlass.http.processors.SqlValidationProcessor;
import io.questdb.mp.WorkerPool;
import java.util.function.BiFunction;

/** QuestDB's own server, but for what answers queries over HTTP. */
final class BillingServer extends ServerMain {
    private final BiFunction<JsonQueryProcessorConfiguration, CairoEngine, HttpRequestHandler> queries;

    BillingServer(
            String[] arguments, BiFunction<JsonQueryProcessorConfiguration, CairoEngine, HttpRequestHandler> queries) {
        super(arguments);
        this.queries = queries;
    }

    @Override
    protected Services services() {
        return new Services() {
            @Override
            public HttpServer createHttpServer(
                    ServerConfiguration all, CairoEngine engine, WorkerPool pool, int helpers) {
                HttpFullFatServerConfiguration http = all.getHttpServerConfiguration();
                JsonQueryProcessorConfiguration json = http.getJsonQueryProcessorConfiguration();
                HttpServer server =
                        new HttpServer(http, pool, http.getFactoryProvider().getHttpSocketFactory());
                HttpServer.addDefaultEndpoints(
                        server,
                        all,
                        engine,
                        helpers,
                        () -> queries.apply(json, engine),
                        () -> new SqlValidationProcessor(json, engine, helpers),
                        () -> new LineHttpProcessorImpl(engine, http));
                return server;
            }
        };
    }
}
