/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module threadclock._clock: the clock of the C library, which this file is linked with, for the calling thread.
 * Figures are named tuples of _figures.py. The limited API of CPython 3.8 makes one binary serve all later versions.
 */
#define Py_LIMITED_API 0x03080000
#include <Python.h>

#include "include/threadclock.h"
#include "kernel/fork.h"
#include "kernel/memory.h"

#include <errno.h>
#include <stdint.h>

struct module_state {
    PyObject *ns_a_second;
    PyObject *tuple_new; /* tuple.__new__: makes a named tuple without running Python code */
    PyObject *thread_times;
    PyObject *waits;
};

static PyObject *explain(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    size_t size = tclk_clock_explain(NULL, 0) + 1;
    char *text = PyMem_Malloc(size);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    tclk_clock_explain(text, size);
    PyObject *explained = PyUnicode_FromString(text);
    PyMem_Free(text);
    return explained;
}

static PyObject *raise_errno(int error)
{
    if (error == -EEXIST) { /* another copy of the library is the clock of this process, and cannot be asked */
        PyObject *why = explain(NULL, NULL);
        if (why != NULL) {
            PyErr_SetObject(PyExc_RuntimeError, why);
            Py_DECREF(why);
        }
        return NULL;
    }
    errno = -error;
    return PyErr_SetFromErrno(PyExc_OSError);
}

/* Takes the reference to `plain`, which may be NULL: an exception is set. */
static PyObject *named(PyObject *tuple_new, PyObject *type, PyObject *plain)
{
    if (plain == NULL) {
        return NULL;
    }
    PyObject *tuple = PyObject_CallFunctionObjArgs(tuple_new, type, plain, NULL);
    Py_DECREF(plain);
    return tuple;
}

static PyObject *three(int64_t first, int64_t second, int64_t third)
{
    return Py_BuildValue("(LLL)", (long long)first, (long long)second, (long long)third);
}

static PyObject *thread_time_ns(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    int64_t cpu_ns = tclk_thread_cpu_ns();
    return cpu_ns < 0 ? raise_errno((int)cpu_ns) : PyLong_FromLongLong(cpu_ns);
}

/* The division is Python's, because the C library is compiled without the registers of floating point. */
static PyObject *thread_time(PyObject *module, PyObject *nothing)
{
    struct module_state *state = PyModule_GetState(module);
    PyObject *ns = thread_time_ns(module, nothing);
    if (ns == NULL) {
        return NULL;
    }
    PyObject *seconds = PyNumber_TrueDivide(ns, state->ns_a_second);
    Py_DECREF(ns);
    return seconds;
}

static PyObject *thread_times(PyObject *module, PyObject *nothing)
{
    (void)nothing;
    struct module_state *state = PyModule_GetState(module);
    struct tclk_times times;
    int error = tclk_thread_read(&times);
    if (error != 0) {
        return raise_errno(error);
    }
    return named(state->tuple_new, state->thread_times, three(times.cpu_ns, times.user_ns, times.system_ns));
}

/* For accounts, at two thirds of the cost of a named tuple. */
static PyObject *cpu_and_user_ns(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    struct tclk_times times;
    int error = tclk_thread_read(&times);
    return error != 0 ? raise_errno(error) : Py_BuildValue("(LL)", (long long)times.cpu_ns, (long long)times.user_ns);
}

/* An error only says why a figure is unknown, which the figure says itself. */
static PyObject *waits(PyObject *module, PyObject *nothing)
{
    (void)nothing;
    struct module_state *state = PyModule_GetState(module);
    struct tclk_waits waits = {TCLK_UNKNOWN, TCLK_UNKNOWN, TCLK_UNKNOWN};
    tclk_thread_waits(&waits);
    return named(state->tuple_new, state->waits,
                 three(waits.run_delay_ns, waits.voluntary_switches, waits.involuntary_switches));
}

static PyObject *source(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return PyUnicode_FromString(tclk_source_name(tclk_clock_source()));
}

/* ---- which process this is ---- */

/* Not by os.register_at_fork(): uWSGI forks its workers without Python's hooks, and clone(2) without those of libc. */
static uint32_t forks;
static uint32_t *wiped; /* 0 in a child that has not been counted yet. NULL: the kernel cannot do that */

static void child_begins(void)
{
    forks++;
}

static void watch_forks(void)
{
    if (wiped != NULL) {
        return; /* another interpreter of this process has done so */
    }
    uint32_t *memory = tclk_memory_map(sizeof *memory);
    if (memory != NULL && tclk_memory_wipe_on_fork(memory, sizeof *memory)) {
        *memory = 1;
        wiped = memory;
    } else {
        tclk_fork_watch(child_begins);
    }
}

static PyObject *process(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    if (wiped != NULL && *wiped == 0) {
        *wiped = 1;
        child_begins();
    }
    return PyLong_FromUnsignedLong(forks);
}

/* ---- what the benchmark compares with ---- */

static PyObject *empty(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return PyLong_FromLong(0);
}

#define SOME_NS 1234567890123 /* an int as long as a clock's */

static PyObject *constant(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return PyLong_FromLongLong(SOME_NS);
}

/* ---- the module ---- */

static PyMethodDef methods[] = {
    {"thread_time_ns", thread_time_ns, METH_NOARGS, "CPU time of the calling thread, in nanoseconds since it started."},
    {"thread_time", thread_time, METH_NOARGS, "CPU time of the calling thread, in seconds since it started."},
    {"thread_times", thread_times, METH_NOARGS,
     "CPU, user and system time of the calling thread in one consistent reading, in nanoseconds."},
    {"cpu_and_user_ns", cpu_and_user_ns, METH_NOARGS, "Of thread_times(), as a plain tuple."},
    {"waits", waits, METH_NOARGS,
     "How the calling thread has waited since it started. UNKNOWN is what the kernel does not "
     "tell."},
    {"explain", explain, METH_NOARGS, "Says in words which source is in use, and why the better ones are not."},
    {"source", source, METH_NOARGS,
     "The source in use: 'rseq', 'perf', 'ids' or 'clock'; 'stdlib' if Python's own clock is "
     "read."},
    {"process", process, METH_NOARGS, "A number of this process that those it was forked from do not have."},
    {"_empty", empty, METH_NOARGS, "Returns 0, as an empty call does. For threadclock.bench."},
    {"_constant", constant, METH_NOARGS, "Returns an int of a clock's size. For threadclock.bench."},
    {NULL, NULL, 0, NULL}};

static int fill(PyObject *module)
{
    watch_forks();
    struct module_state *state = PyModule_GetState(module);
    state->ns_a_second = PyLong_FromLong(1000000000);
    state->tuple_new = PyObject_GetAttrString((PyObject *)&PyTuple_Type, "__new__");
    PyObject *figures = PyImport_ImportModule("threadclock._figures");
    if (state->ns_a_second == NULL || state->tuple_new == NULL || figures == NULL) {
        Py_XDECREF(figures);
        return -1;
    }
    state->thread_times = PyObject_GetAttrString(figures, "ThreadTimes");
    state->waits = PyObject_GetAttrString(figures, "Waits");
    Py_DECREF(figures);
    return state->thread_times == NULL || state->waits == NULL ? -1 : 0;
}

static int visit_state(PyObject *module, visitproc visit, void *arg)
{
    struct module_state *state = PyModule_GetState(module);
    if (state == NULL) {
        return 0; /* CPython 3.8 asks before the module has one */
    }
    Py_VISIT(state->ns_a_second);
    Py_VISIT(state->tuple_new);
    Py_VISIT(state->thread_times);
    Py_VISIT(state->waits);
    return 0;
}

static int clear_state(PyObject *module)
{
    struct module_state *state = PyModule_GetState(module);
    if (state == NULL) {
        return 0; /* CPython 3.8 asks before the module has one */
    }
    Py_CLEAR(state->ns_a_second);
    Py_CLEAR(state->tuple_new);
    Py_CLEAR(state->thread_times);
    Py_CLEAR(state->waits);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_clock",
    .m_doc = "The clock of the C library.",
    .m_size = sizeof(struct module_state),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = visit_state,
    .m_clear = clear_state,
};

__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit__clock(void); /* CPython 3.8's macro does not say so */
PyMODINIT_FUNC PyInit__clock(void)
{
    return PyModuleDef_Init(&definition);
}
