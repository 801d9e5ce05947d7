/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/server.h"

#include "kernel/fork.h"
#include "serve/clients.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES ((size_t)256 << 10)
#define NAME "threadclock"

/* How long tclk_server_stop() waits for the end. */
#define STOP_PATIENCE_MS 2000
#define START_PATIENCE_MS 1000
#define CALL_PATIENCE_MS 2000

/*
 * The life of the server. The thread that replaces RUNS decides what comes next:
 *     RUNS -> CALLED  the caller wants the server to let in one more client; the server sets RUNS again, and answers
 *     RUNS -> STOPS   the caller wants the server to end
 *     RUNS -> ENDS    the server ends by itself
 *     CALLED -> STOPS the call was not noticed in time
 * A caller that has replaced RUNS then writes to `bell`, and the server waits for that, once for each time.
 */
enum life { ENDED, RUNS, CALLED, STOPS, ENDS };

enum { UNANSWERED = 1 }; /* errors are negative */

int64_t tclk_server_awaits_ns = INT64_C(30000000000);

static struct {
    enum life life;
    /* of the process that has the server; a child of a raw clone() leaves the file alone */
    pid_t pid;
    int bell;   /* a read takes one ring */
    int answer; /* to the last call: as tclk_listener_renew(); UNANSWERED */
    struct tclk_clients clients;
    int64_t awaits_ns; /* it waits for a client until then */
} server;

static enum life life_now(void)
{
    return __atomic_load_n(&server.life, __ATOMIC_ACQUIRE);
}

static void set_life(enum life life)
{
    __atomic_store_n(&server.life, life, __ATOMIC_RELEASE);
}

static int answer_now(void)
{
    return __atomic_load_n(&server.answer, __ATOMIC_ACQUIRE);
}

static bool change_life(enum life from, enum life to)
{
    return __atomic_compare_exchange_n(&server.life, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* ---- its life ---- */

/* The thread that has replaced RUNS has still to write to the bell, which must stay open until then. */
static void await_ring(void)
{
    uint64_t rung;
    struct pollfd bell = {.fd = server.bell, .events = POLLIN};
    while (read(server.bell, &rung, sizeof rung) < 0) {
        poll(&bell, 1, -1);
    }
}

static void answer_call(void)
{
    await_ring();
    int error = tclk_listener_renew(&server.clients.listener, server.pid);
    if (error == 0) {
        server.awaits_ns = tclk_poller_now_ns() + tclk_server_awaits_ns;
    }
    __atomic_store_n(&server.answer, error, __ATOMIC_RELEASE);
}

static bool is_over(void)
{
    if (life_now() == STOPS) {
        await_ring();
        return true;
    }
    if (change_life(CALLED, RUNS)) {
        answer_call();
    }
    return !tclk_clients_has_any(&server.clients) && tclk_poller_now_ns() >= server.awaits_ns &&
           change_life(RUNS, ENDS);
}

/* tclk_listener_close() says why the number is forgotten first. */
static void close_bell(void)
{
    int bell = server.bell;
    server.bell = -1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    close(bell);
}

static void serve(void)
{
    bool has_clients = tclk_clients_has_any(&server.clients);
    if (tclk_clients_serve(&server.clients, server.bell, has_clients ? INT64_MAX : server.awaits_ns)) {
        server.awaits_ns = 0;
    }
}

static void *live(void *unused)
{
    prctl(PR_SET_NAME, NAME);
    while (!is_over()) {
        serve();
    }
    tclk_clients_close(&server.clients);
    close_bell();
    set_life(ENDED);
    return unused;
}

/* ---- starting ---- */

/* Does not block the signals of a fault: if they were blocked, they would end the process without any message. */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sigdelset(&blocked, faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static int start_thread(size_t stack_bytes)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) {
        return -error;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack_bytes != 0) {
        pthread_attr_setstacksize(&attributes, stack_bytes);
    }
    error = pthread_create(&thread, &attributes, live, NULL);
    pthread_attr_destroy(&attributes);
    return -error;
}

/* A program with much static TLS, which lies on the stack, needs the default size. */
static int start_blocked(void)
{
    sigset_t before;
    block_signals(&before);
    int error = start_thread(STACK_BYTES);
    if (error == -EINVAL) {
        error = start_thread(0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static int start_served(void)
{
    set_life(RUNS);
    int error = start_blocked();
    if (error != 0) {
        set_life(ENDED);
        tclk_clients_close(&server.clients);
    }
    return error;
}

static int start(tclk_java_ids java_ids)
{
    server.pid = getpid();
    server.awaits_ns = tclk_poller_now_ns() + tclk_server_awaits_ns;
    server.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    if (server.bell < 0) {
        return -errno;
    }
    int error = tclk_clients_open(&server.clients, server.pid, java_ids);
    if (error == 0) {
        error = start_served();
    }
    if (error != 0) {
        close_bell();
    }
    return error;
}

static void pause_ms(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
}

static bool await_end(int patience_ms)
{
    for (int tries = 0; life_now() != ENDED && tries < patience_ms; tries++) {
        pause_ms();
    }
    return life_now() == ENDED;
}

/* A client can connect to a server that is late, unless the file is gone. */
static int await_answer(void)
{
    int answer;
    for (int tries = 0; (answer = answer_now()) == UNANSWERED && tries < CALL_PATIENCE_MS; tries++) {
        pause_ms();
    }
    return answer == UNANSWERED ? 0 : answer;
}

static bool tell(enum life wanted)
{
    const uint64_t ring = 1;
    if (!change_life(RUNS, wanted)) {
        return false;
    }
    ssize_t written = write(server.bell, &ring, sizeof ring);
    (void)written; /* the counter has room */
    return true;
}

int tclk_server_start(tclk_java_ids java_ids)
{
    __atomic_store_n(&server.answer, UNANSWERED, __ATOMIC_RELAXED);
    if (life_now() == CALLED || tell(CALLED)) {
        return await_answer();
    }
    return await_end(START_PATIENCE_MS) ? start(java_ids) : -EBUSY;
}

/* ---- ending ---- */

bool tclk_server_stop(void)
{
    if (life_now() == ENDED) {
        return false;
    }
    if (!change_life(CALLED, STOPS)) {
        tell(STOPS);
    }
    await_end(STOP_PATIENCE_MS);
    return true;
}

bool tclk_server_runs(void)
{
    return life_now() != ENDED;
}

/* A child of fork() does not have the server's thread. */
static void child_begins(void)
{
    if (life_now() == ENDED) {
        return;
    }
    tclk_clients_close_inherited(&server.clients);
    if (server.bell >= 0) {
        close(server.bell);
    }
    set_life(ENDED);
}

__attribute__((constructor)) static void library_is_loaded(void)
{
    tclk_fork_watch(child_begins);
}

/* At exit(3), the thread runs on until the kernel ends it, and has no time to remove its file. */
__attribute__((destructor)) static void process_ends(void)
{
    if (life_now() != ENDED && server.pid == getpid()) {
        tclk_listener_remove(&server.clients.listener);
    }
}
