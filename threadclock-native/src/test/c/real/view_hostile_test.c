/* SPDX-License-Identifier: Apache-2.0 */

/* Clients of the view that die, say rubbish, do not listen, or are too many: it goes on for the others. */

#include "../fake/random.h"
#include "kind.h"
#include "leftovers.h"
#include "threads.h"
#include "view/client.h"
#include "viewer.h"

#include <poll.h>
#include <tap.h>

#define TRIES kind_amount(400)
#define SHORT_NS (100 * MS)

static struct viewer_reply reply;
static int steady;

static void still_serves(const char *after)
{
    ok(viewer_look(steady, &reply, 0), "%s: the others are served", after);
}

static int more(void)
{
    int view = viewer_connect(viewer_path());
    if (view < 0) {
        ok(false, "a client connects: %d", view);
        exit(1);
    }
    return view;
}

static void say(int view, const void *bytes, size_t length)
{
    ssize_t said = send(view, bytes, length, MSG_NOSIGNAL);
    (void)said; /* it may have hung up already */
}

/* ---- rubbish ---- */

static void rubbish_is_hung_up_on(void)
{
    char bytes[64];
    int dropped = 0;
    for (int i = 0; i < TRIES; i++) {
        int view = more();
        for (size_t k = 0; k < sizeof bytes; k++) {
            bytes[k] = (char)random_next();
        }
        say(view, bytes, sizeof(struct tclk_view_request) + random_next() % 40);
        dropped += viewer_is_dropped(view);
        close(view);
    }
    is_ns(dropped, TRIES, "who says no request is hung up on");
    still_serves("rubbish");
}

/* Each bit of a request, changed. */
static void nearly_a_request(void)
{
    const int bits = 8 * sizeof(struct tclk_view_request);
    int right = 0;
    for (int bit = 0; bit < bits; bit++) {
        struct tclk_view_request request = {.magic = TCLK_VIEW_MAGIC};
        int view = more();
        ((unsigned char *)&request)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        say(view, &request, sizeof request);
        right += viewer_take(view, &reply) == (bit >= 64);
        close(view);
    }
    is_ns(right, bits, "what is answered has its first eight bytes right");
    still_serves("nearly a request");
}

static void requests_in_pieces(void)
{
    struct tclk_view_request request = {.magic = TCLK_VIEW_MAGIC};
    int view = more();
    for (size_t i = 0; i < sizeof request; i++) {
        say(view, (char *)&request + i, 1);
        sched_yield();
    }
    ok(viewer_take(view, &reply), "a request may come in pieces");
    say(view, &request, 5);
    still_serves("half a request");
    say(view, (char *)&request + 5, sizeof request - 5);
    ok(viewer_take(view, &reply), "and its end at any time");
    close(view);
}

static void requests_too_early(void)
{
    struct tclk_view_request request[20];
    int view = more();
    for (int i = 0; i < 20; i++) {
        request[i] = (struct tclk_view_request){.magic = TCLK_VIEW_MAGIC};
    }
    say(view, request, sizeof request);
    ok(viewer_is_dropped(view), "who asks before the last answer is hung up on");
    close(view);
    still_serves("too early");
}

/* ---- death ---- */

/* At any point: before the request, in it, after it, in the reply. */
static void clients_that_die(void)
{
    struct tclk_view_request request = {.magic = TCLK_VIEW_MAGIC};
    char some[100];
    for (int i = 0; i < TRIES; i++) {
        int view = more();
        say(view, &request, random_next() % (sizeof request + 1));
        if (random_next() % 2 == 0) {
            ssize_t got = recv(view, some, sizeof some, MSG_DONTWAIT);
            (void)got;
        }
        close(view);
    }
    still_serves("clients that die");
}

static void half_closed(void)
{
    int view = more();
    viewer_ask(view, 0);
    shutdown(view, SHUT_RD);
    close(view);
    view = more();
    shutdown(view, SHUT_WR);
    ok(viewer_is_dropped(view), "who will not ask any more is hung up on");
    close(view);
    still_serves("half closed");
}

/* ---- not listening ---- */

/* So many that a reply is longer than what a socket keeps (up to 320 KiB). */
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
    int64_t until_ns = wall_ns() + VIEWER_PATIENCE_NS;
    while (viewer_look(steady, &reply, 0) && wall_ns() < until_ns) {
        if (reply.head.names_count >= SLEEPERS) {
            return true;
        }
    }
    return false;
}

/* With the beginning of a reply, of which it takes nothing. */
static void make_deaf(int *deaf)
{
    for (int i = 0; i < DEAF; i++) {
        struct pollfd reply_begins = {.events = POLLIN};
        deaf[i] = more();
        viewer_ask(deaf[i], 0);
        reply_begins.fd = deaf[i];
        poll(&reply_begins, 1, VIEWER_PATIENCE_NS / MS);
    }
}

static void serve_beside_deaf_clients(void)
{
    int deaf[DEAF];
    int served = 0;
    make_deaf(deaf);
    for (int i = 0; i < 2; i++) {
        served += viewer_look(steady, &reply, reply.head.named);
    }
    is_ns(served, 2, "who does not listen holds up nobody");
    for (int i = 0; i < DEAF; i++) {
        close(deaf[i]);
    }
}

/* Those who listen keep the patience that is usual, however busy the machine is. */
static void hang_up_on_deaf_clients(void)
{
    int64_t patience_ns = tclk_client_patience_ns;
    int deaf[DEAF];
    int dropped = 0;
    tclk_client_patience_ns = SHORT_NS;
    make_deaf(deaf);
    tclk_client_patience_ns = patience_ns;
    for (int i = 0; i < DEAF; i++) {
        struct viewer_reply its = {.bytes = NULL};
        struct pollfd hang_up = {.fd = deaf[i]};
        poll(&hang_up, 1, VIEWER_PATIENCE_NS / MS);
        dropped += !viewer_take(deaf[i], &its) && viewer_is_dropped(deaf[i]);
        free(its.bytes);
        close(deaf[i]);
    }
    is_ns(dropped, DEAF, "and is hung up on after a while");
}

static void deaf_clients(void)
{
    static pthread_t threads[SLEEPERS];
    if (!KIND_IS_PLAIN) {
        skip("who does not listen holds up nobody", KIND_PLAIN_ONLY);
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
    int views[3 * TCLK_VIEW_CLIENTS];
    int served = 0;
    for (int i = 0; i < 3 * TCLK_VIEW_CLIENTS; i++) {
        views[i] = viewer_connect(viewer_path());
        served += views[i] >= 0 && viewer_look(views[i], &reply, 0);
    }
    is_ns(served, TCLK_VIEW_CLIENTS - 1, "as many are served as there are seats");
    still_serves("too many");
    for (int i = 0; i < 3 * TCLK_VIEW_CLIENTS; i++) {
        close(views[i]);
    }
    int view = -1;
    for (bool done = false; !done;) {
        view = more();
        done = viewer_look(view, &reply, 0);
        if (!done) {
            close(view);
        }
    }
    ok(view >= 0, "when they have gone there are seats again");
    close(view);
}

static void *insist(void *counts)
{
    int view = viewer_connect(viewer_path());
    struct viewer_reply own = {.bytes = NULL};
    int64_t *served = counts;
    int64_t until_ns = wall_ns() + 300 * MS;
    do {
        *served += viewer_look(view, &own, 0);
    } while (wall_ns() < until_ns);
    free(own.bytes);
    close(view);
    return NULL;
}

static void all_at_once(void)
{
    pthread_t threads[4];
    int64_t served[4] = {0};
    viewer_look(steady, &reply, 0);
    int64_t cpu_ns = reply.head.own_cpu_ns;
    int64_t began_ns = wall_ns();
    for (int i = 0; i < 4; i++) {
        threads[i] = thread_start(insist, &served[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    viewer_look(steady, &reply, 0);
    int64_t part = (wall_ns() - began_ns) / (reply.head.own_cpu_ns - cpu_ns + 1);
    ok(served[0] > 0 && served[1] > 0 && served[2] > 0 && served[3] > 0,
       "clients that ask without a pause are all served");
    diag("%" PRId64 " looks each; a %" PRId64 "th part of a core", served[0], part);
}

int main(void)
{
    struct tclk_times times;
    tclk_thread_read(&times);
    close(viewer_begin());
    viewer_awaits_end();
    struct leftovers before = leftovers_now();
    steady = viewer_begin();
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
    ok(viewer_awaits_end(), "it ends after all that");
    leftovers_none(before, "hostile clients");
    free(reply.bytes);
    return done();
}
