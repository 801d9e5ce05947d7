/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/client.h"

#include "include/threadclock.h"
#include "kernel/memory.h"
#include "kernel/tid.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PAGE_BYTES ((size_t)4096)

int64_t tclk_client_patience_ns = INT64_C(5000000000);

void tclk_client_begin(struct tclk_client *client, int socket)
{
    *client = (struct tclk_client){.socket = socket};
}

/* tclk_listener_close() says why the number is forgotten first. */
void tclk_client_end(struct tclk_client *client)
{
    int socket = client->socket;
    client->socket = -1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    close(socket);
    if (client->reply != NULL) {
        tclk_memory_unmap(client->reply, client->room);
    }
    *client = (struct tclk_client){.socket = -1};
}

/* ---- requests ---- */

static bool is_request(const struct tclk_request *request)
{
    return request->magic == TCLK_SERVE_MAGIC && request->nothing == 0;
}

/* While a reply is due or being sent, the client must not send anything. */
bool tclk_client_receive(struct tclk_client *client)
{
    char *at = (char *)&client->request + client->received;
    size_t left = sizeof client->request - client->received;
    char beyond;
    bool is_early = client->waits || tclk_client_takes(client);
    ssize_t bytes =
        is_early ? recv(client->socket, &beyond, 1, MSG_DONTWAIT) : recv(client->socket, at, left, MSG_DONTWAIT);
    if (bytes < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    if (bytes == 0 || is_early) {
        return false;
    }
    client->received += (uint32_t)bytes;
    if (client->received < sizeof client->request) {
        return true;
    }
    client->received = 0;
    client->waits = true;
    return is_request(&client->request);
}

/* ---- replies ---- */

static bool make_room(struct tclk_client *client, size_t bytes)
{
    if (bytes <= client->room) {
        return true;
    }
    size_t room = (bytes + bytes / 4 + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    char *reply = tclk_memory_map(room);
    if (reply == NULL) {
        return false;
    }
    if (client->reply != NULL) {
        tclk_memory_unmap(client->reply, client->room);
    }
    client->reply = reply;
    client->room = room;
    return true;
}

static size_t most_bytes(const struct tclk_thread_table *table)
{
    return sizeof(struct tclk_reply_head) +
           table->count * (sizeof(struct tclk_reply_times) + sizeof(struct tclk_reply_name)) +
           TCLK_POOLS_MAX * sizeof(struct tclk_reply_pool);
}

static uint32_t age_us(const struct tclk_thread_row *thread, int64_t taken_ns)
{
    int64_t age = (taken_ns - thread->read_ns) / 1000;
    return age < 0 ? 0 : age > UINT32_MAX ? UINT32_MAX : (uint32_t)age;
}

static uint32_t put_times(struct tclk_reply_times *to, const struct tclk_poller *poller)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < poller->table.count; i++) {
        const struct tclk_thread_row *thread = &poller->table.threads[i];
        if (thread->read_ns != 0) {
            to[count++] = (struct tclk_reply_times){.tid = (uint32_t)thread->tid,
                                                    .age_us = age_us(thread, poller->taken_ns),
                                                    .cpu_ns = thread->cpu_ns,
                                                    .user_ns = thread->user_ns};
        }
    }
    return count;
}

static uint32_t put_names(struct tclk_reply_name *to, const struct tclk_thread_table *table, uint64_t known)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->count && table->named > known; i++) {
        const struct tclk_thread_row *thread = &table->threads[i];
        if (thread->named > known) {
            to[count] = (struct tclk_reply_name){.tid = (uint32_t)thread->tid,
                                                 .flags = thread->carries ? TCLK_REPLY_CARRIER : 0,
                                                 .java_id = thread->java_id,
                                                 .start_ns = thread->start_ns};
            memcpy(to[count++].comm, thread->comm, sizeof thread->comm);
        }
    }
    return count;
}

static enum tclk_reply_pool_kind kind_of(uint32_t pool)
{
    return pool == TCLK_POOL_REST      ? TCLK_REPLY_POOL_REST
           : pool == TCLK_POOL_UNNAMED ? TCLK_REPLY_POOL_UNNAMED
           : pool == TCLK_POOL_OTHERS  ? TCLK_REPLY_POOL_OTHERS
                                       : TCLK_REPLY_POOL_NAMED;
}

/* Leaves out pools that no thread has begun in, but not the rest. */
static uint32_t put_pools(struct tclk_reply_pool *to, const struct tclk_virtual_pools *pools)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < TCLK_POOLS_MAX && pools->any; i++) {
        const struct tclk_pool_total *total = &pools->totals[i];
        if (i != TCLK_POOL_REST && total->begun == 0) {
            continue;
        }
        to[count] = (struct tclk_reply_pool){.number = i,
                                             .kind = kind_of(i),
                                             .cpu_ns = total->cpu_ns,
                                             .user_ns = total->user_ns,
                                             .mounts = total->mounts,
                                             .begun = total->begun,
                                             .threads = total->threads};
        tclk_pool_name(i, to[count++].name);
    }
    return count;
}

static struct tclk_reply_head head_of(const struct tclk_poller *poller)
{
    const struct tclk_thread_table *table = &poller->table;
    uint32_t flags = poller->is_behind || table->is_cut ? TCLK_REPLY_INCOMPLETE : 0;
    int64_t passed_ns = tclk_poller_now_ns() - poller->taken_ns;
    return (struct tclk_reply_head){
        .magic = TCLK_SERVE_MAGIC,
        .pid = (uint32_t)getpid(),
        .own_tid = (uint32_t)tclk_tid_own(),
        .flags = flags,
        .source = (uint32_t)tclk_clock_source(),
        .threads = tclk_thread_table_threads(table),
        .named = table->named,
        .taken_ns = poller->taken_ns,
        .wall_ns = tclk_poller_clock_ns(CLOCK_REALTIME) - passed_ns,
        .process_ns = poller->process.at_ns,
        .process_cpu_ns = poller->process.cpu_ns,
        .process_user_ns = poller->process.user_ns,
        .own_cpu_ns = tclk_poller_own_cpu_ns(),
        .period_ns = tclk_poller_period_ns(poller),
    };
}

static size_t write_reply(const struct tclk_client *client, const struct tclk_poller *poller)
{
    void *reply = client->reply;
    struct tclk_reply_head *head = reply;
    struct tclk_reply_times *times = (struct tclk_reply_times *)(head + 1);
    *head = head_of(poller);
    head->times_count = put_times(times, poller);
    struct tclk_reply_name *names = (struct tclk_reply_name *)(times + head->times_count);
    head->names_count = put_names(names, &poller->table, client->request.named);
    struct tclk_reply_pool *pools = (struct tclk_reply_pool *)(names + head->names_count);
    head->pools_count = put_pools(pools, &poller->pools);
    size_t length = (size_t)((char *)(pools + head->pools_count) - client->reply);
    head->bytes = (uint32_t)length;
    return length;
}

bool tclk_client_reply(struct tclk_client *client, const struct tclk_poller *poller, int64_t now_ns)
{
    if (!make_room(client, most_bytes(&poller->table))) {
        return false;
    }
    client->waits = false;
    client->length = write_reply(client, poller);
    client->sent = 0;
    client->until_ns = now_ns + tclk_client_patience_ns;
    return tclk_client_send(client, now_ns);
}

bool tclk_client_send(struct tclk_client *client, int64_t now_ns)
{
    ssize_t bytes =
        send(client->socket, client->reply + client->sent, client->length - client->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (bytes < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    client->sent += (size_t)bytes;
    client->until_ns = bytes > 0 ? now_ns + tclk_client_patience_ns : client->until_ns;
    if (client->sent == client->length) {
        client->length = 0;
    }
    return true;
}
