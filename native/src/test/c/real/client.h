/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_CLIENT_H
#define TCLK_TEST_CLIENT_H

/* A client of the server, as another program would write it. */

#include "clocks.h"
#include "serve/clients.h"
#include "serve/protocol.h"
#include "serve/server.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <tap.h>
#include <unistd.h>

struct client_reply {
    struct tclk_reply_head head;
    struct tclk_reply_times *times;
    struct tclk_reply_name *names;
    struct tclk_reply_pool *pools;
    char *bytes;
};

static inline void client_no_java_ids(struct tclk_thread_table *table)
{
    (void)table;
}

static inline const char *client_path(void)
{
    static _Thread_local char path[64];
    snprintf(path, sizeof path, "%s%d", TCLK_SERVE_PATH, (int)getpid());
    return path;
}

static inline struct sockaddr_un client_address(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return address;
}

/* The other side of a connection. */
static inline int client_listen_at(const char *path)
{
    struct sockaddr_un address = client_address(path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(made, (struct sockaddr *)&address, sizeof address) != 0 || listen(made, 8) != 0) {
        abort();
    }
    return made;
}

/* Returns a socket, or -errno. */
static inline int client_connect(const char *path)
{
    struct sockaddr_un address = client_address(path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = -errno;
        close(made);
        return error;
    }
    return made;
}

static inline bool client_ask(int client, uint64_t named)
{
    struct tclk_request request = {.magic = TCLK_SERVE_MAGIC, .named = named};
    return send(client, &request, sizeof request, MSG_NOSIGNAL) == sizeof request;
}

static inline bool client_receive(int client, void *to, size_t bytes)
{
    return recv(client, to, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

/* False: the connection is over, or this is not a reply. The next reply frees the content of `reply`. */
static inline bool client_take(int client, struct client_reply *reply)
{
    free(reply->bytes);
    reply->bytes = NULL;
    if (!client_receive(client, &reply->head, sizeof reply->head) || reply->head.magic != TCLK_SERVE_MAGIC) {
        return false;
    }
    size_t times = reply->head.times_count * sizeof *reply->times;
    size_t names = reply->head.names_count * sizeof *reply->names;
    size_t pools = reply->head.pools_count * sizeof *reply->pools;
    reply->bytes = malloc(times + names + pools + 1);
    reply->times = (struct tclk_reply_times *)reply->bytes;
    reply->names = (struct tclk_reply_name *)(reply->bytes + times);
    reply->pools = (struct tclk_reply_pool *)(reply->bytes + times + names);
    return reply->head.bytes == sizeof reply->head + times + names + pools &&
           client_receive(client, reply->bytes, times + names + pools);
}

static inline bool client_look(int client, struct client_reply *reply, uint64_t named)
{
    return client_ask(client, named) && client_take(client, reply);
}

static inline const struct tclk_reply_times *client_times(const struct client_reply *reply, pid_t tid)
{
    for (uint32_t i = 0; i < reply->head.times_count; i++) {
        if (reply->times[i].tid == (uint32_t)tid) {
            return &reply->times[i];
        }
    }
    return NULL;
}

static inline const struct tclk_reply_name *client_name(const struct client_reply *reply, pid_t tid)
{
    for (uint32_t i = 0; i < reply->head.names_count; i++) {
        if (reply->names[i].tid == (uint32_t)tid) {
            return &reply->names[i];
        }
    }
    return NULL;
}

/* Whether the other side has closed the connection. */
static inline bool client_is_dropped(int client)
{
    char byte;
    ssize_t bytes;
    while ((bytes = recv(client, &byte, 1, 0)) > 0) {
    }
    return bytes == 0 || errno == ECONNRESET;
}

/* The thread has its name until the kernel removes it, some time after the server has ended. */
static inline bool client_thread_is_there(void)
{
    struct dirent *entry;
    bool is_there = false;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        char path[320];
        char comm[TCLK_REPLY_COMM + 1] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "re");
        if (file != NULL) {
            is_there |= fgets(comm, sizeof comm, file) != NULL && strcmp(comm, "threadclock\n") == 0;
            fclose(file);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return is_there;
}

/* Waits for the end of the thread, and of all that it had. */
static inline bool client_awaits_end(void)
{
    while (tclk_server_runs() || client_thread_is_there()) {
        sleep_ns(MS);
    }
    return !tclk_server_runs();
}

/* The last client goes, and the server ends. */
static inline void client_leave(int client)
{
    close(client);
    client_awaits_end();
}

/* One more client of a server that runs. */
static inline int client_more(void)
{
    int client = client_connect(client_path());
    if (client < 0) {
        ok(false, "a client connects: %d", client);
        exit(1);
    }
    return client;
}

static inline int client_begin(void)
{
    int error = tclk_server_start(client_no_java_ids);
    if (error != 0) {
        ok(false, "the server starts: %d", error);
        exit(1);
    }
    return client_more();
}

#endif
