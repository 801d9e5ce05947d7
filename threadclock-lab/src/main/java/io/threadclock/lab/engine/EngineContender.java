// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import io.threadclock.lab.engine.program.Way;
import java.util.List;

/** Who attributes the engine's work. */
enum EngineContender {
    OFF("off", Way.NONE),
    STOCK("stock", Way.THREAD_MX_BEAN),
    LIBRARY("threadclock", Way.STOPWATCH),
    AGENT("threadclock by ThreadMXBean", Way.THREAD_MX_BEAN);

    /** In a JVM that the agent has not reached yet. */
    static final List<EngineContender> WITHOUT_AGENT = List.of(OFF, STOCK, LIBRARY);
    /** While the agent is in force. */
    static final List<EngineContender> WITH_AGENT = List.of(OFF, AGENT);

    private final String title;
    private final Way way;

    EngineContender(String title, Way way) {
        this.title = title;
        this.way = way;
    }

    Way way() {
        return way;
    }

    @Override
    public String toString() {
        return title;
    }
}
