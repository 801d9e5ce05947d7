/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_CLIENT_H
#define TCLK_SERVE_CLIENT_H

#include "serve/poller.h"
#include "serve/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One connection to a client: takes its requests, and sends replies as fast as the client reads them. Nothing here
 * blocks, and a client makes the server keep at most one reply.
 */

/* The time within which the client must read some of its reply: 5 s, except in tests. */
extern int64_t tclk_client_patience_ns;

struct tclk_client {
    int socket; /* -1: no client */
    bool waits; /* a request has come, and no reply to it has been sent yet */
    uint32_t received;
    struct tclk_request request;
    char *reply;
    size_t room;
    size_t length; /* of the reply; 0: none is being sent */
    size_t sent;
    int64_t until_ns; /* the time by which the client must have read more of it */
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

/* Call this when the socket has data, or its end. False: the client has gone, or has sent something that is not a
 * request. */
bool tclk_client_receive(struct tclk_client *client);

/* Begins the reply to the last request. False: the client has gone, or there is no memory. */
bool tclk_client_reply(struct tclk_client *client, const struct tclk_poller *poller, int64_t now_ns);

/* Call this when the socket can take more. False: the client has gone. */
bool tclk_client_send(struct tclk_client *client, int64_t now_ns);

#endif
