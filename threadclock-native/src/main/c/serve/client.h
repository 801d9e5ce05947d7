/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_CLIENT_H
#define TCLK_SERVE_CLIENT_H

#include "serve/poller.h"
#include "serve/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One who is looking: takes its requests, and gives it replies as fast as it takes them. Nothing here
 * blocks, and what a client can make us keep is one reply.
 */

/* In which it has to take some of its reply: 5 s, but in tests. */
extern int64_t tclk_client_patience_ns;

struct tclk_client {
    int socket; /* -1: nobody */
    bool waits; /* has asked, and nothing has been sent yet */
    uint32_t received;
    struct tclk_request request;
    char *reply;
    size_t room;
    size_t length; /* of the reply; 0: none is being sent */
    size_t sent;
    int64_t until_ns; /* by which it has to have taken more of it */
};

void tclk_client_begin(struct tclk_client *client, int socket);

void tclk_client_end(struct tclk_client *client);

static inline bool tclk_client_is_here(const struct tclk_client *client)
{
    return client->socket >= 0;
}

static inline bool tclk_client_takes(const struct tclk_client *client)
{
    return client->length > 0;
}

/* Its socket has something to read, or an end. False: it has gone, or says what is no request. */
bool tclk_client_receive(struct tclk_client *client);

/* Begins the reply that it waits for. False: it has gone, or there is no memory. */
bool tclk_client_reply(struct tclk_client *client, const struct tclk_poller *poller,
                       int64_t now_ns);

/* Its socket takes more. False: it has gone. */
bool tclk_client_send(struct tclk_client *client, int64_t now_ns);

#endif
