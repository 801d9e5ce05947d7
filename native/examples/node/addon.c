/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The calling thread's times for JavaScript: cost.js. Node loads it; each worker thread has a copy of its exports.
 *
 *   cc -O2 -shared -fPIC -I/usr/include/node addon.c $(pkg-config --cflags --libs threadclock) -o threadclock.node
 */

#define NAPI_VERSION 8
#include <node_api.h>
#include <stddef.h>
#include <threadclock.h>

static napi_value number(napi_env env, int64_t ns)
{
    napi_value result = NULL;
    napi_create_double(env, (double)ns, &result); /* exact for 104 days of CPU time */
    return result;
}

static napi_value nothing(napi_env env, napi_callback_info info)
{
    (void)env;
    (void)info;
    return NULL;
}

static napi_value thread_cpu_ns(napi_env env, napi_callback_info info)
{
    (void)info;
    int64_t ns = tclk_thread_cpu_ns();
    if (ns < 0) {
        napi_throw_error(env, NULL, "the thread's CPU time cannot be read");
        return NULL;
    }
    return number(env, ns);
}

/* Fills a Float64Array of three: CPU, user, system. No object is made. */
static napi_value thread_read(napi_env env, napi_callback_info info)
{
    size_t count = 1;
    size_t length = 0;
    napi_value array = NULL;
    void *data = NULL;
    napi_typedarray_type type;
    struct tclk_times times;
    if (napi_get_cb_info(env, info, &count, &array, NULL, NULL) != napi_ok || count != 1 ||
        napi_get_typedarray_info(env, array, &type, &length, &data, NULL, NULL) != napi_ok ||
        type != napi_float64_array || length < 3) {
        napi_throw_type_error(env, NULL, "a Float64Array of three is wanted");
        return NULL;
    }
    if (tclk_thread_read(&times) != 0) {
        napi_throw_error(env, NULL, "the thread's times cannot be read");
        return NULL;
    }
    double *to = data;
    to[0] = (double)times.cpu_ns;
    to[1] = (double)times.user_ns;
    to[2] = (double)times.system_ns;
    return NULL;
}

NAPI_MODULE_INIT()
{
    const napi_property_descriptor functions[] = {
        {"nothing", NULL, nothing, NULL, NULL, NULL, napi_enumerable, NULL},
        {"threadCpuNs", NULL, thread_cpu_ns, NULL, NULL, NULL, napi_enumerable, NULL},
        {"threadRead", NULL, thread_read, NULL, NULL, NULL, napi_enumerable, NULL},
    };
    napi_define_properties(env, exports, sizeof functions / sizeof functions[0], functions);
    return exports;
}
