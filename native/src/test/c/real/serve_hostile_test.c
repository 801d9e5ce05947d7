/* SPDX-License-Identifier: Apache-2.0 */

/* Tests clients of the server that die, send rubbish, do not listen, or are too many. The server goes on for the
 * others. */

#include "../fake/random.h"
#include "client.h"
#include "kind.h"
#include "leftovers.h"
#include "serve/client.h"
#include "threads.h"

#include <poll.h>
#include <tap.h>

#define TRIES kind_rounds(400)
#define SHORT_NS (100 * MS)

static struct client_reply reply;
static int steady;

static void still_serves(const char *after)
{
    ok(client_look(steady, &reply, 0), "%s: the others are served", after);
}

static void say(int client, const void *bytes, size_t length)
{
    ssize_t said = send(client, bytes, length, MSG_NOSIGNAL);
    (void)said; /* it may have hung up already */
}

/* ---- rubbish ---- */

static void rubbish_is_hung_up_on(void)
{
    char bytes[64];
    int dropped = 0;
    for (int i = 0; i < TRIES; i++) {
        int client = client_more();
        for (size_t k = 0; k < sizeof bytes; k++) {
            bytes[k] = (char)random_next();
        }
        say(client, bytes, sizeof(struct tclk_request) + random_next() % 40);
        dropped += client_is_dropped(client);
        close(client);
    }
    is_ns(dropped, TRIES, "a client that sends no request is disconnected");
    still_serves("rubbish");
}

/* A request with one changed bit, for each bit. */
static void nearly_a_request(void)
{
    const int bits = 8 * sizeof(struct tclk_request);
    int right = 0;
    for (int bit = 0; bit < bits; bit++) {
        struct tclk_request request = {.magic = TCLK_SERVE_MAGIC};
        int client = client_more();
        ((unsigned char *)&request)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        say(client, &request, sizeof request);
        right += client_take(client, &reply) == (bit >= 64);
        close(client);
    }
    is_ns(right, bits, "only requests with the right first eight bytes are answered");
    still_serves("nearly a request");
}

static void requests_in_pieces(void)
{
    struct tclk_request request = {.magic = TCLK_SERVE_MAGIC};
    int client = client_more();
    for (size_t i = 0; i < sizeof request; i++) {
        say(client, (char *)&request + i, 1);
        sched_yield();
    }
    ok(client_take(client, &reply), "a request may come in pieces");
    say(client, &request, 5);
    still_serves("half a request");
    say(client, (char *)&request + 5, sizeof request - 5);
    ok(client_take(client, &reply), "the rest of a request may come later");
    close(client);
}

static void requests_too_early(void)
{
    struct tclk_request request[20];
    int client = client_more();
    for (int i = 0; i < 20; i++) {
        request[i] = (struct tclk_request){.magic = TCLK_SERVE_MAGIC};
    }
    say(client, request, sizeof request);
    ok(client_is_dropped(client), "a client that asks before the last answer is disconnected");
    close(client);
    still_serves("too early");
}

/* ---- death ---- */

/* A client may die at any point: before the request, in it, after it, in the reply. */
static void clients_that_die(void)
{
    struct tclk_request request = {.magic = TCLK_SERVE_MAGIC};
    char some[100];
    for (int i = 0; i < TRIES; i++) {
        int client = client_more();
        say(client, &request, random_next() % (sizeof request + 1));
        if (random_next() % 2 == 0) {
            ssize_t got = recv(client, some, sizeof some, MSG_DONTWAIT);
            (void)got;
        }
        close(client);
    }
    still_serves("clients that die");
}

static void half_closed(void)
{
    int client = client_more();
    client_ask(client, 0);
    shutdown(client, SHUT_RD);
    close(client);
    client = client_more();
    shutdown(client, SHUT_WR);
    ok(client_is_dropped(client), "a client that will ask no more is disconnected");
    close(client);
    still_serves("half closed");
}

/* ---- not listening ---- */

/* With this many threads, a reply is longer than the buffer of a socket (up to 320 KiB). */
#define SLEEPERS 6000
#define DEAF 3

static int ends[2];

static void *sleeper(void *unused)
{
    char byte;
    ssize_t bytes = read(ends[0], &byte, 1);
    (void)bytes;
    return unused;
}

static pthread_t start_sleeper(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)64 << 10);
    if (pthread_create(&thread, &attributes, sleeper, NULL) != 0) {
        abort();
    }
    pthread_attr_destroy(&attributes);
    return thread;
}

static bool replies_become_long(void)
{
    while (client_look(steady, &reply, 0)) {
        if (reply.head.names_count >= SLEEPERS) {
            return true;
        }
    }
    return false;
}

/* A client that asks, and reads nothing of its reply. */
static void make_deaf(int *deaf)
{
    for (int i = 0; i < DEAF; i++) {
        struct pollfd reply_begins = {.events = POLLIN};
        deaf[i] = client_more();
        client_ask(deaf[i], 0);
        reply_begins.fd = deaf[i];
        poll(&reply_begins, 1, -1);
    }
}

static void serve_beside_deaf_clients(void)
{
    int deaf[DEAF];
    int served = 0;
    make_deaf(deaf);
    for (int i = 0; i < 2; i++) {
        served += client_look(steady, &reply, reply.head.named);
    }
    is_ns(served, 2, "a client that does not listen holds up nobody");
    for (int i = 0; i < DEAF; i++) {
        close(deaf[i]);
    }
}

/* Meanwhile no client listens that a busy machine may make late. */
static void hang_up_on_deaf_clients(void)
{
    int64_t patience_ns = tclk_client_patience_ns;
    int deaf[DEAF];
    int dropped = 0;
    tclk_client_patience_ns = SHORT_NS;
    make_deaf(deaf);
    for (int i = 0; i < DEAF; i++) {
        struct client_reply its = {.bytes = NULL};
        struct pollfd hang_up = {.fd = deaf[i]};
        poll(&hang_up, 1, -1);
        dropped += !client_take(deaf[i], &its) && client_is_dropped(deaf[i]);
        free(its.bytes);
        close(deaf[i]);
    }
    tclk_client_patience_ns = patience_ns;
    is_ns(dropped, DEAF, "and is hung up on after a while");
}

static void deaf_clients(void)
{
    static pthread_t threads[SLEEPERS];
    if (!KIND_IS_PLAIN) {
        skip("a client that does not listen holds up nobody", KIND_PLAIN_ONLY);
        return;
    }
    if (pipe(ends) != 0) {
        exit(1);
    }
    for (int i = 0; i < SLEEPERS; i++) {
        threads[i] = start_sleeper();
    }
    ok(replies_become_long(), "many threads are told of");
    serve_beside_deaf_clients();
    hang_up_on_deaf_clients();
    close(ends[1]);
    for (int i = 0; i < SLEEPERS; i++) {
        pthread_join(threads[i], NULL);
    }
    close(ends[0]);
}

/* ---- too many ---- */

static void too_many(void)
{
    int clients[3 * TCLK_CLIENTS_MAX];
    int served = 0;
    for (int i = 0; i < 3 * TCLK_CLIENTS_MAX; i++) {
        clients[i] = client_connect(client_path());
        served += clients[i] >= 0 && client_look(clients[i], &reply, 0);
    }
    is_ns(served, TCLK_CLIENTS_MAX - 1, "the server serves as many clients as it has seats");
    still_serves("too many");
    for (int i = 0; i < 3 * TCLK_CLIENTS_MAX; i++) {
        close(clients[i]);
    }
    int client = -1;
    for (bool done = false; !done;) {
        client = client_more();
        done = client_look(client, &reply, 0);
        if (!done) {
            close(client);
        }
    }
    ok(client >= 0, "clients that leave free their seats");
    close(client);
}

static void *insist(void *counts)
{
    int client = client_connect(client_path());
    struct client_reply own = {.bytes = NULL};
    int64_t *served = counts;
    int64_t end_ns = wall_ns() + 300 * MS;
    do {
        *served += client_look(client, &own, 0);
    } while (wall_ns() < end_ns);
    free(own.bytes);
    close(client);
    return NULL;
}

static void all_at_once(void)
{
    pthread_t threads[4];
    int64_t served[4] = {0};
    client_look(steady, &reply, 0);
    int64_t cpu_ns = reply.head.own_cpu_ns;
    int64_t began_ns = wall_ns();
    for (int i = 0; i < 4; i++) {
        threads[i] = thread_start(insist, &served[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    client_look(steady, &reply, 0);
    int64_t part = (wall_ns() - began_ns) / (reply.head.own_cpu_ns - cpu_ns + 1);
    ok(served[0] > 0 && served[1] > 0 && served[2] > 0 && served[3] > 0,
       "clients that ask without a pause are all served");
    diag("%" PRId64 " looks each; a %" PRId64 "th part of a core", served[0], part);
}

int main(void)
{
    struct tclk_times times;
    tclk_client_patience_ns = 300 * S; /* where others have the CPUs, even one that listens may be late */
    tclk_thread_read(&times);
    client_leave(client_begin());
    struct leftovers before = leftovers_now();
    steady = client_begin();
    rubbish_is_hung_up_on();
    nearly_a_request();
    requests_in_pieces();
    requests_too_early();
    clients_that_die();
    half_closed();
    deaf_clients();
    too_many();
    all_at_once();
    close(steady);
    ok(client_awaits_end(), "the server ends after all that");
    leftovers_none(before, "hostile clients");
    free(reply.bytes);
    return done();
}
