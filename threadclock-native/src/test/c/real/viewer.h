/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_VIEWER_H
#define TCLK_TEST_VIEWER_H

/* A client of the view, as a program outside would write it. */

#include "clocks.h"
#include "view/audience.h"
#include "view/protocol.h"
#include "view/view.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <tap.h>
#include <unistd.h>

#define VIEWER_PATIENCE_NS (120 * S)

struct viewer_reply {
    struct tclk_view_head head;
    struct tclk_view_times *times;
    struct tclk_view_name *names;
    char *bytes;
};

static inline void viewer_no_java_ids(struct tclk_census *census)
{
    (void)census;
}

static inline const char *viewer_path(void)
{
    static _Thread_local char path[64];
    snprintf(path, sizeof path, "%s%d", TCLK_VIEW_PATH, (int)getpid());
    return path;
}

/* Returns a socket, or -errno. Waits at most VIEWER_PATIENCE_NS for each answer. */
static inline int viewer_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {.tv_sec = VIEWER_PATIENCE_NS / S};
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = -errno;
        close(made);
        return error;
    }
    return made;
}

static inline bool viewer_ask(int view, uint64_t named)
{
    struct tclk_view_request request = {.magic = TCLK_VIEW_MAGIC, .named = named};
    return send(view, &request, sizeof request, MSG_NOSIGNAL) == sizeof request;
}

static inline bool viewer_receive(int view, void *to, size_t bytes)
{
    return recv(view, to, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

/* False: the connection is over, or the reply is none. What is in `reply` is freed by the next one. */
static inline bool viewer_take(int view, struct viewer_reply *reply)
{
    free(reply->bytes);
    reply->bytes = NULL;
    if (!viewer_receive(view, &reply->head, sizeof reply->head) ||
        reply->head.magic != TCLK_VIEW_MAGIC) {
        return false;
    }
    size_t times = reply->head.times_count * sizeof *reply->times;
    size_t names = reply->head.names_count * sizeof *reply->names;
    reply->bytes = malloc(times + names + 1);
    reply->times = (struct tclk_view_times *)reply->bytes;
    reply->names = (struct tclk_view_name *)(reply->bytes + times);
    return reply->head.bytes == sizeof reply->head + times + names &&
           viewer_receive(view, reply->bytes, times + names);
}

static inline bool viewer_look(int view, struct viewer_reply *reply, uint64_t named)
{
    return viewer_ask(view, named) && viewer_take(view, reply);
}

static inline const struct tclk_view_times *viewer_times(const struct viewer_reply *reply,
                                                         pid_t tid)
{
    for (uint32_t i = 0; i < reply->head.times_count; i++) {
        if (reply->times[i].tid == (uint32_t)tid) {
            return &reply->times[i];
        }
    }
    return NULL;
}

static inline const struct tclk_view_name *viewer_name(const struct viewer_reply *reply, pid_t tid)
{
    for (uint32_t i = 0; i < reply->head.names_count; i++) {
        if (reply->names[i].tid == (uint32_t)tid) {
            return &reply->names[i];
        }
    }
    return NULL;
}

/* Whether the connection is over from the other side. */
static inline bool viewer_is_dropped(int view)
{
    char byte;
    ssize_t bytes;
    while ((bytes = recv(view, &byte, 1, 0)) > 0) {
    }
    return bytes == 0 || errno == ECONNRESET;
}

/* It has its name until the kernel lets go of it: some time after the view has ended. */
static inline bool viewer_thread_is_there(void)
{
    struct dirent *entry;
    bool is_there = false;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        char path[320];
        char comm[TCLK_VIEW_COMM + 1] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "re");
        if (file != NULL) {
            is_there |=
                fgets(comm, sizeof comm, file) != NULL && strcmp(comm, "threadclock\n") == 0;
            fclose(file);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return is_there;
}

/* With its thread, and what that had. */
static inline bool viewer_awaits_end(void)
{
    int64_t until_ns = wall_ns() + VIEWER_PATIENCE_NS;
    while ((tclk_view_runs() || viewer_thread_is_there()) && wall_ns() < until_ns) {
        sleep_ns(MS);
    }
    return !tclk_view_runs();
}

static inline int viewer_begin(void)
{
    int error = tclk_view_start(viewer_no_java_ids);
    if (error != 0) {
        ok(false, "the view starts: %d", error);
        exit(1);
    }
    int view = viewer_connect(viewer_path());
    if (view < 0) {
        ok(false, "a client connects: %d", view);
        exit(1);
    }
    return view;
}

#endif
