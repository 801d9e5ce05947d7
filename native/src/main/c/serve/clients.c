/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/clients.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

/* Without a free descriptor no client can be admitted, and the kernel goes on reporting that one waits. */
#define SHUT_NS INT64_C(100000000)

/* ---- clients ---- */

static struct tclk_client *free_seat(struct tclk_clients *clients)
{
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        struct tclk_client *client = &clients->seats[i];
        if (!tclk_client_is_here(client)) {
            return client;
        }
    }
    return NULL;
}

bool tclk_clients_has_any(const struct tclk_clients *clients)
{
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        const struct tclk_client *client = &clients->seats[i];
        if (tclk_client_is_here(client)) {
            return true;
        }
    }
    return false;
}

static bool waits(const struct tclk_clients *clients)
{
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        const struct tclk_client *client = &clients->seats[i];
        if (tclk_client_is_here(client) && client->waits) {
            return true;
        }
    }
    return false;
}

static bool admit(struct tclk_clients *clients, int64_t now_ns)
{
    struct tclk_client *seat = free_seat(clients);
    int client = tclk_listener_admit(&clients->listener);
    if (client >= 0 && seat != NULL) {
        tclk_client_begin(seat, client);
        return true;
    }
    if (client >= 0) {
        close(client);
    } else if (client != -EAGAIN && client != -EINTR && client != -ECONNABORTED) {
        clients->shut_ns = now_ns + SHUT_NS;
    }
    return false;
}

static bool attend(struct tclk_client *client, int happened, int64_t now_ns)
{
    if ((happened & ~POLLOUT) != 0 && !tclk_client_receive(client)) {
        return false;
    }
    if ((happened & POLLOUT) != 0 && tclk_client_takes(client) && !tclk_client_send(client, now_ns)) {
        return false;
    }
    return !(tclk_client_takes(client) && now_ns > client->until_ns);
}

/* All clients that wait get the same snapshot. */
static void answer(struct tclk_clients *clients, int64_t now_ns)
{
    if (!waits(clients) || now_ns < tclk_poller_next_ns(&clients->poller)) {
        return;
    }
    tclk_poller_poll(&clients->poller);
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        struct tclk_client *client = &clients->seats[i];
        if (tclk_client_is_here(client) && client->waits && !tclk_client_reply(client, &clients->poller, now_ns)) {
            tclk_client_end(client);
        }
    }
    tclk_poller_pay(&clients->poller);
}

/* ---- waiting ---- */

enum { BELL, LISTENER, SEATS, WATCHED = SEATS + TCLK_CLIENTS_MAX };

static void earlier(int64_t *until_ns, int64_t ns)
{
    *until_ns = ns < *until_ns ? ns : *until_ns;
}

/* A socket of -1 is not watched. */
static int64_t list_watched(const struct tclk_clients *clients, struct pollfd watched[WATCHED], int bell,
                            int64_t now_ns)
{
    int64_t until_ns = INT64_MAX;
    bool is_shut = now_ns < clients->shut_ns;
    watched[BELL] = (struct pollfd){.fd = bell, .events = POLLIN};
    watched[LISTENER] = (struct pollfd){.fd = is_shut ? -1 : clients->listener.socket, .events = POLLIN};
    if (is_shut) {
        earlier(&until_ns, clients->shut_ns);
    }
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        const struct tclk_client *client = &clients->seats[i];
        bool takes = tclk_client_takes(client);
        watched[SEATS + i] =
            (struct pollfd){.fd = client->socket, .events = (short)(takes ? POLLIN | POLLOUT : POLLIN)};
        if (takes) {
            earlier(&until_ns, client->until_ns);
        }
    }
    if (waits(clients)) {
        earlier(&until_ns, tclk_poller_next_ns(&clients->poller));
    }
    return until_ns;
}

static void await(const struct tclk_clients *clients, struct pollfd watched[WATCHED], int bell, int64_t until_ns)
{
    int64_t now_ns = tclk_poller_now_ns();
    earlier(&until_ns, list_watched(clients, watched, bell, now_ns));
    int64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    struct timespec left = {.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
    int happened = ppoll(watched, WATCHED, until_ns == INT64_MAX ? NULL : &left, NULL);
    if (happened <= 0) {
        for (int i = 0; i < WATCHED; i++) {
            watched[i].revents = 0;
        }
    }
}

/* ---- serving ---- */

/* Clients that are connected are served first, because one that connects now has not asked anything yet. */
bool tclk_clients_serve(struct tclk_clients *clients, int bell, int64_t until_ns)
{
    struct pollfd watched[WATCHED];
    await(clients, watched, bell, until_ns);
    int64_t now_ns = tclk_poller_now_ns();
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        struct tclk_client *client = &clients->seats[i];
        if (tclk_client_is_here(client) && !attend(client, watched[SEATS + i].revents, now_ns)) {
            tclk_client_end(client);
        }
    }
    bool is_new = watched[LISTENER].revents != 0 && admit(clients, now_ns);
    answer(clients, now_ns);
    return is_new;
}

/* ---- opening and closing ---- */

static int open_poller_and_listener(struct tclk_clients *clients, pid_t pid, tclk_java_ids java_ids)
{
    int error = tclk_poller_open(&clients->poller, java_ids);
    if (error != 0) {
        return error;
    }
    error = tclk_listener_open(&clients->listener, pid);
    if (error != 0) {
        tclk_poller_close(&clients->poller);
    }
    return error;
}

int tclk_clients_open(struct tclk_clients *clients, pid_t pid, tclk_java_ids java_ids)
{
    clients->listener.socket = -1;
    clients->shut_ns = 0;
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        clients->seats[i].socket = -1;
    }
    return open_poller_and_listener(clients, pid, java_ids);
}

/* Removes the file first, so that nobody connects without being served. */
void tclk_clients_close(struct tclk_clients *clients)
{
    tclk_listener_close(&clients->listener);
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        if (tclk_client_is_here(&clients->seats[i])) {
            tclk_client_end(&clients->seats[i]);
        }
    }
    tclk_poller_close(&clients->poller);
}

static void close_inherited(int descriptor)
{
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void tclk_clients_close_inherited(const struct tclk_clients *clients)
{
    close_inherited(clients->listener.socket);
    close_inherited(clients->poller.table.tasks);
    for (int i = 0; i < TCLK_CLIENTS_MAX; i++) {
        close_inherited(clients->seats[i].socket);
    }
}
