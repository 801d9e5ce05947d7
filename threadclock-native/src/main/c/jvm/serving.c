/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/serving.h"

#include "jvm/carriers.h"
#include "jvm/discovery.h"
#include "jvm/java_thread.h"
#include "jvm/known_threads.h"
#include "jvm/message.h"
#include "jvm/setup.h"
#include "serve/server.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int64_t carrier; /* the Java thread id of a carrier, as an attaching thread has found it */

static void tell_java_id(void *table, int64_t thread_id, pid_t tid, int64_t alive_at_ns)
{
    tclk_thread_table_tell_java_id(table, tid, thread_id, alive_at_ns);
}

static void java_ids(struct tclk_thread_table *table)
{
    tclk_known_threads_tell(tell_java_id, table);
    table->carrier_java_id = __atomic_load_n(&carrier, __ATOMIC_RELAXED);
}

static int start(void)
{
    pthread_mutex_lock(&one_at_a_time);
    int error = tclk_server_start(java_ids);
    pthread_mutex_unlock(&one_at_a_time);
    return error;
}

static void know_threads(JNIEnv *env)
{
    if (tclk_java_thread_setup(env)) {
        tclk_discovery_run(env);
        __atomic_store_n(&carrier, tclk_carriers_find(env), __ATOMIC_RELAXED);
    }
}

enum tclk_outcome tclk_serving_begin(JNIEnv *env)
{
    if (!tclk_setup_vm(TCLK_UNCHANGED)) {
        return TCLK_NOT_HOTSPOT;
    }
    if (!tclk_setup_alone("Look through that one.")) {
        return TCLK_OTHER_COPY;
    }
    know_threads(env);
    int error = start();
    if (error != 0) {
        tclk_message("view refused: %s. It needs /tmp, /proc, and some descriptors. " TCLK_UNCHANGED, strerror(-error));
        return TCLK_VIEW_REFUSED;
    }
    return TCLK_DONE;
}

enum tclk_outcome tclk_serving_name(JNIEnv *env)
{
    if (!tclk_server_runs()) {
        return TCLK_NOT_ATTACHED;
    }
    know_threads(env);
    return TCLK_DONE;
}

bool tclk_serving_end(void)
{
    pthread_mutex_lock(&one_at_a_time);
    bool there_was = tclk_server_stop();
    pthread_mutex_unlock(&one_at_a_time);
    return there_was;
}
