/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/serving.h"

#include "jvm/carriers.h"
#include "jvm/copies.h"
#include "jvm/discovery.h"
#include "jvm/java_thread.h"
#include "jvm/known_threads.h"
#include "jvm/message.h"
#include "jvm/setup.h"
#include "serve/server.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int64_t carriers[TCLK_CARRIERS_MAX]; /* as an attaching thread has found them */

static bool is_carrier(int64_t thread_id)
{
    bool is = false;
    for (int i = 0; i < TCLK_CARRIERS_MAX; i++) {
        is |= __atomic_load_n(&carriers[i], __ATOMIC_RELAXED) == thread_id;
    }
    return is;
}

static void tell_java_id(void *table, int64_t thread_id, pid_t tid, int64_t alive_at_ns)
{
    tclk_thread_table_tell_java_id(table, tid, thread_id, alive_at_ns);
    struct tclk_thread_row *thread = is_carrier(thread_id) ? tclk_thread_table_find(table, tid) : NULL;
    if (thread != NULL && thread->java_id == thread_id) {
        tclk_thread_table_tell_carrier(table, thread);
    }
}

static void java_ids(struct tclk_thread_table *table)
{
    tclk_known_threads_tell(tell_java_id, table);
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
        int64_t found[TCLK_CARRIERS_MAX] = {0};
        tclk_discovery_run(env);
        tclk_carriers_find(env, found);
        for (int i = 0; i < TCLK_CARRIERS_MAX; i++) {
            __atomic_store_n(&carriers[i], found[i], __ATOMIC_RELAXED);
        }
    }
}

int tclk_serving_begin(JNIEnv *env)
{
    if (!tclk_setup_vm(TCLK_UNCHANGED)) {
        return TCLK_NOT_HOTSPOT;
    }
    if (!tclk_setup_memory("It shows no view. " TCLK_UNCHANGED)) {
        return TCLK_NO_MEMORY;
    }
    if (!tclk_server_runs() && !tclk_setup_alone("Look through that one.")) {
        return TCLK_OTHER_COPY;
    }
    know_threads(env);
    tclk_agent_set_served();
    int error = start();
    if (error != 0) {
        tclk_message("view refused: %s. It needs /tmp, /proc, and some descriptors. " TCLK_UNCHANGED, strerror(-error));
        return TCLK_VIEW_REFUSED + TCLK_PER_ERRNO * -error;
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
