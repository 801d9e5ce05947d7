/* SPDX-License-Identifier: Apache-2.0 */
#include "view/audience.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

/* Without a free descriptor nobody is let in, and the kernel goes on saying that somebody waits. */
#define SHUT_NS INT64_C(100000000)

/* ---- clients ---- */

static struct tclk_client *free_seat(struct tclk_audience *audience)
{
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        struct tclk_client *client = &audience->clients[i];
        if (!tclk_client_is_here(client)) {
            return client;
        }
    }
    return NULL;
}

bool tclk_audience_is_there(const struct tclk_audience *audience)
{
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        const struct tclk_client *client = &audience->clients[i];
        if (tclk_client_is_here(client)) {
            return true;
        }
    }
    return false;
}

static bool waits(const struct tclk_audience *audience)
{
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        const struct tclk_client *client = &audience->clients[i];
        if (tclk_client_is_here(client) && client->waits) {
            return true;
        }
    }
    return false;
}

static bool admit(struct tclk_audience *audience, int64_t now_ns)
{
    struct tclk_client *seat = free_seat(audience);
    int client = tclk_door_admit(&audience->door);
    if (client >= 0 && seat != NULL) {
        tclk_client_begin(seat, client);
        return true;
    }
    if (client >= 0) {
        close(client);
    } else if (client != -EAGAIN && client != -EINTR && client != -ECONNABORTED) {
        audience->shut_ns = now_ns + SHUT_NS;
    }
    return false;
}

static bool attend(struct tclk_client *client, int happened, int64_t now_ns)
{
    if ((happened & ~POLLOUT) != 0 && !tclk_client_receive(client)) {
        return false;
    }
    if ((happened & POLLOUT) != 0 && tclk_client_takes(client) &&
        !tclk_client_send(client, now_ns)) {
        return false;
    }
    return !(tclk_client_takes(client) && now_ns > client->until_ns);
}

/* All who wait get the same look. */
static void answer(struct tclk_audience *audience, int64_t now_ns)
{
    if (!waits(audience) || now_ns < tclk_survey_next_ns(&audience->survey)) {
        return;
    }
    tclk_survey_take(&audience->survey);
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        struct tclk_client *client = &audience->clients[i];
        if (tclk_client_is_here(client) && client->waits &&
            !tclk_client_reply(client, &audience->survey, now_ns)) {
            tclk_client_end(client);
        }
    }
    tclk_survey_pay(&audience->survey);
}

/* ---- waiting ---- */

enum { BELL, DOOR, SEATS, WATCHED = SEATS + TCLK_VIEW_CLIENTS };

static void earlier(int64_t *until_ns, int64_t ns)
{
    *until_ns = ns < *until_ns ? ns : *until_ns;
}

/* A socket of -1 is not watched. */
static int64_t list_watched(const struct tclk_audience *audience, struct pollfd watched[WATCHED],
                            int bell, int64_t now_ns)
{
    int64_t until_ns = INT64_MAX;
    bool is_shut = now_ns < audience->shut_ns;
    watched[BELL] = (struct pollfd){.fd = bell, .events = POLLIN};
    watched[DOOR] = (struct pollfd){.fd = is_shut ? -1 : audience->door.listener, .events = POLLIN};
    if (is_shut) {
        earlier(&until_ns, audience->shut_ns);
    }
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        const struct tclk_client *client = &audience->clients[i];
        bool takes = tclk_client_takes(client);
        watched[SEATS + i] = (struct pollfd){.fd = client->socket,
                                             .events = (short)(takes ? POLLIN | POLLOUT : POLLIN)};
        if (takes) {
            earlier(&until_ns, client->until_ns);
        }
    }
    if (waits(audience)) {
        earlier(&until_ns, tclk_survey_next_ns(&audience->survey));
    }
    return until_ns;
}

static void await(const struct tclk_audience *audience, struct pollfd watched[WATCHED], int bell,
                  int64_t until_ns)
{
    int64_t now_ns = tclk_survey_now_ns();
    earlier(&until_ns, list_watched(audience, watched, bell, now_ns));
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

/* Those who have a seat are attended to first: who comes in now has said nothing yet. */
bool tclk_audience_serve(struct tclk_audience *audience, int bell, int64_t until_ns)
{
    struct pollfd watched[WATCHED];
    await(audience, watched, bell, until_ns);
    int64_t now_ns = tclk_survey_now_ns();
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        struct tclk_client *client = &audience->clients[i];
        if (tclk_client_is_here(client) && !attend(client, watched[SEATS + i].revents, now_ns)) {
            tclk_client_end(client);
        }
    }
    bool is_new = watched[DOOR].revents != 0 && admit(audience, now_ns);
    answer(audience, now_ns);
    return is_new;
}

/* ---- opening and closing ---- */

static int open_survey_and_door(struct tclk_audience *audience, pid_t pid, tclk_java_ids java_ids)
{
    int error = tclk_survey_open(&audience->survey, java_ids);
    if (error != 0) {
        return error;
    }
    error = tclk_door_open(&audience->door, pid);
    if (error != 0) {
        tclk_survey_close(&audience->survey);
    }
    return error;
}

int tclk_audience_open(struct tclk_audience *audience, pid_t pid, tclk_java_ids java_ids)
{
    audience->door.listener = -1;
    audience->shut_ns = 0;
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        audience->clients[i].socket = -1;
    }
    return open_survey_and_door(audience, pid, java_ids);
}

/* The file first: nobody connects who is not served any more. */
void tclk_audience_close(struct tclk_audience *audience)
{
    tclk_door_close(&audience->door);
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        if (tclk_client_is_here(&audience->clients[i])) {
            tclk_client_end(&audience->clients[i]);
        }
    }
    tclk_survey_close(&audience->survey);
}

static void close_inherited(int descriptor)
{
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void tclk_audience_close_inherited(const struct tclk_audience *audience)
{
    close_inherited(audience->door.listener);
    close_inherited(audience->survey.census.tasks);
    for (int i = 0; i < TCLK_VIEW_CLIENTS; i++) {
        close_inherited(audience->clients[i].socket);
    }
}
