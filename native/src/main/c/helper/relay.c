/* SPDX-License-Identifier: Apache-2.0 */
#include "relay.h"

#include "call.h"
#include "command.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

enum pipe_name { TO_JVM, TO_COMMAND, ANSWER, PIPES };

/* Between its two ends are the bytes from `at` to `end`. */
struct pipe {
    bool is_open;
    int from;
    int to;
    size_t at;
    size_t end;
    char bytes[FRAME_HEAD + FRAME_BYTES];
};

static struct pipe pipes[PIPES];

static void open_pipe(enum pipe_name name, int from, int to)
{
    struct pipe *its = &pipes[name];
    its->is_open = true;
    its->from = from;
    its->to = to;
    its->at = its->end = 0;
}

void relay_view(int of_command, int of_jvm)
{
    open_pipe(TO_JVM, of_command, of_jvm);
    open_pipe(TO_COMMAND, of_jvm, of_command);
}

bool is_viewed(void)
{
    return pipes[TO_JVM].is_open;
}

void relay_answer(int of_jvm)
{
    open_pipe(ANSWER, of_jvm, command);
}

void drop_answer(void)
{
    struct pipe *its = &pipes[ANSWER];
    if (its->is_open) {
        its->is_open = false;
        close_file(its->from);
        write_all(command, its->bytes + its->at, its->end - its->at); /* the frame is begun */
    }
}

static bool is_empty(const struct pipe *its)
{
    return its->at == its->end;
}

static bool sends(struct pipe *its)
{
    const char *bytes = its->bytes + its->at;
    long sent = tclk_call6(SYS_sendto, its->to, (long)bytes, (long)(its->end - its->at), MSG_DONTWAIT, 0, 0);
    its->at += (size_t)(sent > 0 ? sent : 0);
    return sent > 0 || sent == -EAGAIN;
}

static bool takes(struct pipe *its, bool is_framed)
{
    char *into = its->bytes + FRAME_HEAD;
    long count = tclk_call6(SYS_recvfrom, its->from, (long)into, FRAME_BYTES, MSG_DONTWAIT, 0, 0);
    if (count <= 0) {
        return count == -EAGAIN;
    }
    uint32_t head[] = {request_number(), (uint32_t)count};
    copy_bytes(its->bytes, head, sizeof(head));
    its->at = is_framed ? 0 : FRAME_HEAD;
    its->end = FRAME_HEAD + (size_t)count;
    return true;
}

static void end_view(void)
{
    pipes[TO_JVM].is_open = pipes[TO_COMMAND].is_open = false;
    close_file(pipes[TO_JVM].to);
}

static void end_answer(void)
{
    drop_answer();
    send_frame("", 0);
}

bool relay(int most_ms)
{
    struct pollfd ends[PIPES + 1] = {[PIPES] = {.fd = command, .events = POLLIN}};
    struct timespec most = {.tv_sec = most_ms / 1000, .tv_nsec = most_ms % 1000 * 1000000L};
    for (int i = 0; i < PIPES; i++) {
        struct pipe *its = &pipes[i];
        ends[i].fd = !its->is_open ? -1 : is_empty(its) ? its->from : its->to;
        ends[i].events = is_empty(its) ? POLLIN : POLLOUT;
    }
    if (tclk_call6(SYS_ppoll, (long)ends, PIPES + 1, most_ms < 0 ? 0 : (long)&most, 0, 0, 0) < 0) {
        return true; /* the limit of open files is below that: the next request says so */
    }
    for (int i = 0; i < PIPES; i++) {
        struct pipe *its = &pipes[i];
        if (!its->is_open || ends[i].revents == 0 || (is_empty(its) ? takes(its, i == ANSWER) : sends(its))) {
            continue;
        }
        if (i == ANSWER) {
            end_answer();
        } else {
            end_view();
        }
    }
    return ends[PIPES].revents != 0;
}
